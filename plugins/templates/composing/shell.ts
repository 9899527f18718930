// The shells: layouts with a contract, from which templates are composed. They are the starters and one general shell.
import { starterLayouts, starters } from '../starters/catalogue.ts';
import type { Starter } from '../starters/starter.ts';
import { announcement } from './announcement.ts';

/** Words of a brief that point to a starter. */
const briefWords: Readonly<Record<string, RegExp>> = {
  receipt: /\b(receipts?|invoices?|paid|payments?|purchases?|order confirmations?)\b/gi,
  'password-reset': /\b(passwords?|reset(ting)?)\b/gi,
  'login-code': /\b(login codes?|one-time|otp|2fa|verification codes?|codes?)\b/gi,
  'magic-link': /\b(magic links?|sign-?in links?|log-?in links?|passwordless)\b/gi,
  'shipping-notice': /\b(shipp(ed|ing)|shipments?|parcels?|deliver(y|ed)|tracking|packages?)\b/gi,
  welcome: /\b(welcom(e|es|ing)|onboarding|new accounts?|getting started)\b/gi,
  invitation: /\binvit(e|es|ed|ing|ations?)\b/gi,
};

/** The ids that a caller may give as starterShellId. */
export const shellIds: readonly string[] = [...starterLayouts.map(({ key }) => key), announcement.key];

/** The shell of this id. */
export const findShell = (id: string): Starter | undefined =>
  id === announcement.key ? announcement : starters().find(({ key }) => key === id);

/** Chooses the starter whose words occur most often in the brief; without such words, the general shell. */
export function chooseShell(brief: string): Starter {
  const scores = starters().map((starter) => ({
    starter,
    score: brief.match(briefWords[starter.key] ?? /$^/)?.length ?? 0,
  }));
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a), {
    starter: announcement,
    score: 0,
  });
  return best.starter;
}
