// Broadcasts in the words of the people who write them: states, pauses, reasons. Pure.
import type { ConsoleContext } from '../../../core/index.ts';
import { counted, type Html, moment, type PillTone, pill } from '../../../core/unstable.ts';
import type { BroadcastResource } from '../broadcasts.ts';
import { type BroadcastStatus, type Exclusion, exclusions, type PausedBy, type RecipientStatus } from '../schema.ts';

const states: Readonly<Record<BroadcastStatus, readonly [words: string, tone: PillTone]>> = {
  draft: ['Draft', 'plain'],
  scheduled: ['Scheduled', 'wait'],
  preparing: ['Preparing', 'info'],
  sending: ['Sending', 'info'],
  paused: ['Paused', 'wait'],
  canceled: ['Canceled', 'plain'],
  sent: ['Sent', 'good'],
};

/** Every state with its words, for a filter. */
export const stateChoices = Object.entries(states).map(([status, [words]]) => [status, words] as const);

export const statePill = (status: BroadcastStatus): Html => pill(...states[status]);

const pauses: Readonly<Record<PausedBy, string>> = {
  call: 'Somebody paused it. It continues when it is resumed.',
  ceiling:
    'Its audience has grown past the ceiling, so nothing was sent. Look at the audience, then resume it with a higher ceiling.',
  reputation:
    'Marketing mail is held, because too many mails bounced or were complained about. Release the hold, then resume it.',
  budget: 'The sends of this month are used up. Resume it when the budget is renewed or raised.',
  overdue:
    'Its next mail would leave more than 12 hours late, because the service was down. Resume it if it is still useful, or cancel it.',
  error: 'Something failed several times. The log of the service says what. Resume it after the problem is fixed.',
};

/** The reason why a broadcast is paused, and the next step for people. */
export const pauseText = (by: PausedBy): string => pauses[by];

export const exclusionWords: Readonly<Record<Exclusion, string>> = {
  audience: 'In a list or segment that is left out',
  suppressed: 'Unsubscribed from marketing mail, bounced, or complained',
  no_consent: 'Did not agree to the topic or to a list of the audience',
  topic: 'Unsubscribed from the topic',
  no_address: 'Has no email address',
  duplicate: 'Has the same address as another contact, who gets the mail',
  frequency_cap: 'Has already got the maximum of marketing mail',
  holdout: 'Held out, so that the effect can be measured',
  variables_invalid: 'Lacks a value that the mail shows',
  erased: 'Was erased before the mail left',
};

const isExclusion = (reason: string): reason is Exclusion => (exclusions as readonly string[]).includes(reason);

/** The reason why a contact was excluded, or why the mail failed. */
export function reasonText(reason: string | null): string {
  if (reason === null) return '';
  if (reason === 'expired') return 'The mail was too late to be useful';
  return isExclusion(reason) ? exclusionWords[reason] : reason;
}

const recipientStates: Readonly<Record<RecipientStatus, readonly [words: string, tone: PillTone]>> = {
  waiting: ['Waiting', 'wait'],
  accepted: ['Accepted', 'good'],
  failed: ['Failed', 'bad'],
  canceled: ['Canceled', 'plain'],
  excluded: ['Left out', 'plain'],
};

export const recipientWords = (status: RecipientStatus): string => recipientStates[status][0];

export const recipientPill = (status: RecipientStatus): Html => pill(...recipientStates[status]);

/** A share of a whole: `12.5 %`. A dash if the whole is 0. */
export const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Number(((part / whole) * 100).toFixed(1))} %`;

/** The time at which the first mail leaves or has left. */
export function firstMail(
  ctx: Pick<ConsoleContext, 'now'>,
  { startedAt, sendAt, timezone }: BroadcastResource,
): Html | string {
  const at = startedAt ?? sendAt;
  if (at === null) return '–';
  if (at.endsWith('Z')) return moment(at, ctx);
  const zone = timezone === 'recipient' ? "each recipient's time" : timezone;
  return `${at.slice(0, 16).replace('T', ' ')} ${zone}`;
}

/** The audience in words: `2 lists and 1 segment, without 1 list`. */
export function audienceText({ audience }: BroadcastResource): string {
  if (audience === null) return 'None yet';
  const partsText = (parts: typeof audience.include): string => {
    const lists = parts.filter((part) => 'listId' in part).length;
    const segments = parts.length - lists;
    return [
      ...(lists === 0 ? [] : [counted(lists, 'list')]),
      ...(segments === 0 ? [] : [counted(segments, 'segment')]),
    ].join(' and ');
  };
  const { include, exclude } = audience;
  return `${partsText(include)}${exclude.length === 0 ? '' : `, without ${partsText(exclude)}`}`;
}
