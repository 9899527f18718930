// Checks the embedding program's input to provisioning: it has no schema, and a wrong value that is stored would only
// be noticed by a later send. Called by provisioning.ts only.
import { parseAddress } from '../contract/addresses.ts';
import { coreErrors } from '../contract/core-errors.ts';
import { lineFault } from '../contract/line-text.ts';
import type { Plans } from '../contract/workspace.ts';
import type { NewKey, NewWorkspace } from './provisioning.ts';

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

/** @throws validation_failed */
export function checkWorkspace(given: Partial<NewWorkspace>, plans: Plans): void {
  const { defaultFrom: from, plan, credits = 0 } = given;
  if (from !== undefined && (parseAddress(from.email) === undefined || lineFault(from.name) !== undefined)) {
    refuse('defaultFrom must be { email, name } with a plain address and a name of one line.');
  }
  if (plan !== undefined && !Object.hasOwn(plans, plan)) {
    refuse(`There is no plan ${JSON.stringify(plan)}. There are: ${Object.keys(plans).join(', ')}.`);
  }
  if (!Number.isSafeInteger(credits) || credits < 0) refuse('Credits are given as a whole number of at least 0.');
}

const modes = ['live', 'test', 'mcp'];

/** @throws validation_failed */
export function checkKey({ mode = 'live', sandbox, expiresAt }: NewKey): void {
  if (!modes.includes(mode)) refuse(`There is no mode ${JSON.stringify(mode)}. There are: ${modes.join(', ')}.`);
  // A caller that asks for a sandbox must not get a key that sends real mail.
  if (mode === 'live' && sandbox === true) refuse('A live key is no sandbox key. Use mode test, or mcp with sandbox.');
  if (mode === 'test' && sandbox === false) refuse('A test key is always a sandbox key. Use mode live or mcp.');
  if (expiresAt !== undefined && Number.isNaN(expiresAt.getTime())) refuse('expiresAt is not a valid date.');
}
