// What stands in place of an erased address, and how an address is found in other texts. Pure. Used by the core and by
// every plugin's part of the erasure.
import { createHash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { normaliseAddress, parseAddress } from '../contract/addresses.ts';
import type { AddressFinder } from '../contract/personal-data.ts';

/**
 * The same for one address of one workspace for ever, whatever the keyring: a complaint must go on protecting an address
 * that nobody keeps, also after keys were rotated. Whoever has an address can tell its pseudonym, not the reverse.
 */
export function pseudonymOf(workspaceId: string, email: string): string {
  const digest = createHash('sha256')
    .update(`${workspaceId}\n${normaliseAddress(email)}`)
    .digest('hex');
  return `erased:${digest.slice(0, 40)}`;
}

/** Whether this stands in place of an erased address. */
export const isPseudonym = (text: string): boolean => /^erased:[0-9a-f]{40}$/.test(text);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const dotless = /@g(?:oogle)?mail\.com$/;
/** What begins a longer address. Quotes and signs that some address may hold do not: texts put them around others. */
const before = '[\\w.%+-]';

/** All spellings that are normalised to this address. Part of a longer address is another one. */
function patternOf(email: string): string {
  const parts = parseAddress(email);
  if (parts === undefined) return escaped(email);
  const local = dotless.test(email) ? [...parts.local].map(escaped).join('\\.?') : escaped(parts.local);
  const domains = new Set([parts.domain, domainToUnicode(parts.domain)].filter((name) => name !== ''));
  const domain = [...domains].map(escaped).join('|');
  return `(?<!${before})${local}@(?:${domain})(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`;
}

/** A finder of these normalised addresses. */
export function createAddressFinder(workspaceId: string, emails: readonly string[]): AddressFinder {
  const known = emails.map((email) => ({
    pattern: new RegExp(patternOf(email), 'giu'),
    pseudonym: pseudonymOf(workspaceId, email),
  }));
  const erase = (text: string): string =>
    known.reduce((rest, { pattern, pseudonym }) => rest.replace(pattern, pseudonym), text);
  const eraseIn = (value: unknown): unknown => {
    if (typeof value === 'string') return erase(value);
    if (Array.isArray(value)) return value.map(eraseIn);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [erase(name), eraseIn(member)]));
  };
  const eraseJson = (json: string): string => JSON.stringify(eraseIn(JSON.parse(json)));
  return {
    isIn: (text) => erase(text) !== text,
    erase,
    eraseJson,
  };
}
