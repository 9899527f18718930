// Checks the embedding program's input to provisioning: it has no schema, and a wrong value that is stored would only
// be noticed by a later send. Called by provisioning.ts only.
import { parseAddress } from '../contract/addresses.ts';
import { coreErrors } from '../contract/core-errors.ts';
import { lineFault } from '../contract/line-text.ts';
import { didYouMean } from '../contract/suggestion.ts';
import type { Plans } from '../contract/workspace.ts';
import type { DeclaredFigures } from '../pipeline/plans.ts';
import { checkFigures } from '../pipeline/plans.ts';
import type { NewKey, WorkspaceChanges } from './provisioning.ts';

const refuse = (summary: string): never => {
  throw coreErrors.validation_failed({ summary });
};

/** Domains in normalised form: lower-case ASCII. @throws validation_failed */
export function canonicalDomains(domains: readonly string[]): string[] {
  const canonical = domains.map((domain) => {
    const parts = parseAddress(`postmaster@${domain.trim()}`);
    return (
      parts?.domain ?? refuse(`sendingDomains: ${JSON.stringify(domain)} is not a domain such as mail.example.com.`)
    );
  });
  return [...new Set(canonical)];
}

/** Callers in plain JavaScript may pass anything. */
const isSender = (from: unknown): boolean => {
  if (typeof from !== 'object' || from === null) return false;
  const { email, name } = from as { readonly email?: unknown; readonly name?: unknown };
  if (typeof email !== 'string' || typeof name !== 'string') return false;
  return parseAddress(email) !== undefined && lineFault(name) === undefined;
};

/** A TypeError of the configuration is a refusal here. */
function checkOwnFigures(figures: object, declared: DeclaredFigures): void {
  try {
    checkFigures('figures', figures, declared);
  } catch (error) {
    refuse((error as Error).message);
  }
}

/** What both making and changing a workspace take. */
type GivenWorkspace = { readonly [K in keyof WorkspaceChanges]?: WorkspaceChanges[K] | undefined } & {
  readonly credits?: number | undefined;
};

/** @throws validation_failed */
export function checkWorkspace(given: GivenWorkspace, plans: Plans, declared: DeclaredFigures): void {
  const { defaultFrom: from, plan, figures, credits = 0 } = given;
  if (from !== undefined && !isSender(from)) {
    refuse(
      `defaultFrom must be { email, name } with a plain address and a name of one line, such as { email: 'hello@example.com', name: 'Example' }.`,
    );
  }
  if (plan !== undefined && !Object.hasOwn(plans, plan)) {
    const names = Object.keys(plans);
    refuse(
      `There is no plan ${JSON.stringify(plan)}.${didYouMean(String(plan), names)} There are: ${names.join(', ')}.`,
    );
  }
  if (figures !== undefined && figures !== null) checkOwnFigures(figures, declared);
  if (!Number.isSafeInteger(credits) || credits < 0) refuse('Credits are given as a whole number of at least 0.');
}

const modes = ['live', 'test', 'mcp'];

/** @throws validation_failed */
export function checkKey({ mode = 'live', sandbox, expiresAt, members = [] }: NewKey): void {
  if (!modes.includes(mode)) refuse(`There is no mode ${JSON.stringify(mode)}. There are: ${modes.join(', ')}.`);
  // A caller that asks for a sandbox must not get a key that sends real mail.
  if (mode === 'live' && sandbox === true) refuse('A live key is no sandbox key. Use mode test, or mcp with sandbox.');
  if (mode === 'test' && sandbox === false) refuse('A test key is always a sandbox key. Use mode live or mcp.');
  if (expiresAt !== undefined && Number.isNaN(expiresAt.getTime())) refuse('expiresAt is not a valid date.');
  const isUid = (uid: unknown): boolean => typeof uid === 'string' && uid.length > 0 && uid.length <= 200;
  if (!Array.isArray(members) || members.length > 50 || !members.every(isUid))
    refuse("members is a list of at most 50 uids of members, such as ['u_1'].");
}
