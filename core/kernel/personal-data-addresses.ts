// Pseudonyms of erased addresses, and the search for addresses in texts. Pure. Used by the core and by the plugins' parts of
// an erasure.
import { hash } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import type { AddressFinder } from '../contract/declaration/personal-data.ts';
import { normaliseAddress, parseAddress } from '../contract/values/addresses.ts';

/**
 * The pseudonym of an address in a workspace. It never changes and does not depend on the keyring, so that a block
 * on an erased address stays in force after keys were rotated. It can be computed from the address, but not reversed.
 */
export function pseudonymOf(workspaceId: string, email: string): string {
  const digest = hash('sha256', `${workspaceId}\n${normaliseAddress(email)}`, 'hex');
  return `erased:${digest.slice(0, 40)}`;
}

/** Whether the text is the pseudonym of an erased address. */
export const isPseudonym = (text: string): boolean => /^erased:[0-9a-f]{40}$/.test(text);

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
/**
 * Characters that, before a match, make it part of a longer address. Quotes are not included, because texts put them around
 * addresses.
 */
const addressCharacters = '[\\w.%+-]';
/** The same for text that may be JSON, where the letter n of an escaped line break may directly precede an address. */
const addressCharactersInJson = `(?<!\\\\)${addressCharacters}`;

/** Matches all spellings that are normalised to this address, but not as part of a longer address. */
function patternOf(email: string, precedingCharacters: string): string {
  const parts = parseAddress(email);
  // A phone number may be the beginning of a longer number.
  if (parts === undefined)
    return `${/^[\p{L}\p{N}]/u.test(email) ? `(?<!${precedingCharacters})` : ''}${escapeRegExp(email)}(?![\\p{L}\\p{N}])`;
  const isGmail = parts.domain === 'gmail.com';
  const local = isGmail ? [...parts.local].map(escapeRegExp).join('\\.?') : escapeRegExp(parts.local);
  const otherDomains = isGmail ? 'googlemail.com' : domainToUnicode(parts.domain);
  const domains = new Set([parts.domain, otherDomains].filter((name) => name !== ''));
  const domain = [...domains].map(escapeRegExp).join('|');
  return `(?<!${precedingCharacters})${local}@(?:${domain})(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`;
}

/** Makes a finder of these normalised addresses. */
export function createAddressFinder(workspaceId: string, emails: readonly string[]): AddressFinder {
  const patterns = emails.map((email) => ({
    pattern: new RegExp(patternOf(email, addressCharacters), 'giu'),
    inJson: new RegExp(patternOf(email, addressCharactersInJson), 'iu'),
    pseudonym: pseudonymOf(workspaceId, email),
  }));
  const erase = (text: string): string =>
    patterns.reduce((erased, { pattern, pseudonym }) => erased.replace(pattern, pseudonym), text);
  const eraseIn = (value: unknown): unknown => {
    if (typeof value === 'string') return erase(value);
    if (Array.isArray(value)) return value.map(eraseIn);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [erase(name), eraseIn(member)]));
  };
  const eraseJson = (json: string): string => JSON.stringify(eraseIn(JSON.parse(json)));
  return {
    isIn: (text) => patterns.some(({ inJson }) => inJson.test(text)),
    erase,
    eraseJson,
  };
}
