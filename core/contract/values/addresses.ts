// Email addresses: which forms are accepted, and the normalised form that identifies a person. Used by every plugin
// that handles addresses; never parses header syntax.
import { domainToASCII } from 'node:url';
import * as z from '../schemas/zod.ts';

const localPattern = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domainPattern = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/;
/** URL parsers and mail servers read a name as an IPv4 address if its last label is a number such as 44 or 0x7f. */
const numericEnd = /\.(\d+|0x[0-9a-f]*)$/;
/** Invisible characters, which IDNA would drop silently. */
const invisible = /[\p{C}\p{Z}]/u;
const gmail = new Set(['gmail.com', 'googlemail.com']);

/** The parts of an address; the domain in lower-case ASCII (IDNA). */
export interface AddressParts {
  readonly local: string;
  readonly domain: string;
}

/**
 * A cache of the latest addresses with their parts, because a call parses its addresses many times. It has room for the
 * addresses of the largest batch.
 */
const cache = new Map<string, AddressParts>();
const maxCached = 2_000;

/** Parses an address of RFC 5321 in its unquoted form, with an ASCII local part. Returns undefined for any other text. */
export function parseAddress(text: string): AddressParts | undefined {
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const parts = partsOf(text);
  if (parts !== undefined) {
    if (cache.size >= maxCached) cache.clear();
    cache.set(text, parts);
  }
  return parts;
}

function partsOf(text: string): AddressParts | undefined {
  if (text.length > 254) return undefined;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  if (at < 1 || local.length > 64 || !localPattern.test(local)) return undefined;
  const rawDomain = text.slice(at + 1);
  if (invisible.test(rawDomain)) return undefined;
  const domain = /^[\x21-\x7e]*$/.test(rawDomain) ? rawDomain.toLowerCase() : domainToASCII(rawDomain);
  if (domain.length > 253 || !domainPattern.test(domain) || numericEnd.test(domain)) return undefined;
  return Object.freeze({ local, domain });
}

/**
 * Returns the form that identifies a person: lower-cased. Gmail has two domains and ignores dots in the local part, so the
 * form of its addresses has no dots there and the domain gmail.com. Tags (`ada+news@`) stay.
 */
export function normaliseAddress(text: string): string {
  const trimmed = text.trim();
  const parts = parseAddress(trimmed);
  if (parts === undefined) return trimmed.toLowerCase();
  const local = parts.local.toLowerCase();
  return gmail.has(parts.domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${parts.domain}`;
}

/** A sentence about why a text is not an address. `forms`: the accepted forms. */
export function addressFault(text: string, forms = 'name@example.com'): string {
  const at = text.lastIndexOf('@');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
  const hasNonAscii = /[^\x00-\x7f]/.test(text.slice(0, Math.max(at, 0)));
  const isNonAscii = hasNonAscii && parseAddress(`a${text.slice(at)}`) !== undefined;
  const reason = isNonAscii ? ' Only ASCII characters are allowed before the @; the domain may have others.' : '';
  return `This is not an email address: give one like ${forms}.${reason}`;
}

/** The check of a field that takes one address. */
export const isAddress = [
  (text: string): boolean => parseAddress(text) !== undefined,
  { error: ({ input }: { readonly input?: unknown }) => addressFault(String(input)) },
] as const;

/** A field that takes one address. */
export const emailAddress = z
  .string()
  .max(254)
  .refine(...isAddress)
  .meta({ format: 'email' });
