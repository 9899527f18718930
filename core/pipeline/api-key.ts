// The text form of API keys: made, recognised without a look-up, hashed. Used by provisioning and by admit.ts. Only
// createApiKey returns the secret, once; only its hash and its prefix are ever stored.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Randomness } from '../contract/ports/platform.ts';

/** The kind of a key: its second part. */
export type ApiKeyMode = 'live' | 'test' | 'mcp';

/** A new key. */
export interface CreatedApiKey {
  /** The whole key, shown once. */
  readonly secret: string;
  /** The part that lists show: `postrider_live_` and the first 6 random characters. */
  readonly prefix: string;
  /** SHA-256 of the secret in hex, under which it is looked up. */
  readonly hash: string;
}

/** A text with the form and the checksum of a key; the look-up by hash decides whether the key exists. */
export interface ParsedApiKey {
  readonly mode: ApiKeyMode;
  readonly hash: string;
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const modes: readonly ApiKeyMode[] = ['live', 'test', 'mcp'];
const secretBytes = 32;
/** 62⁴³ is the first power that exceeds 256 bits, 62⁶ the first that exceeds 32 bits. */
const randomLength = 43;
const checksumLength = 6;
const visibleLength = 6;
const randomPart = new RegExp(`^[0-9A-Za-z]{${randomLength + checksumLength}}$`);
const maxHeaderLength = 8_192;
/** RFC 6750, section 2.1: one b64token after the scheme, which RFC 9110 compares without case. */
const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

const sha256 = (text: string): string => hash('sha256', text, 'hex');

function base62(value: bigint, length: number): string {
  let text = '';
  for (let remaining = value; remaining > 0n; remaining /= 62n) text = digits.charAt(Number(remaining % 62n)) + text;
  return text.padStart(length, '0');
}

/** The checksum at the end of a key. Computed for every request, with plain numbers, which are several times faster than base62(). */
function checksumOf(text: string): string {
  let checksum = '';
  for (let remaining = crc32(text), position = 0; position < checksumLength; position += 1) {
    checksum = digits.charAt(remaining % 62) + checksum;
    remaining = Math.floor(remaining / 62);
  }
  return checksum;
}

/**
 * Makes a key of 256 random bits.
 * @param slug the service's name in lower case: the first part of its keys
 */
export function createApiKey(slug: string, mode: ApiKeyMode, randomness: Randomness): CreatedApiKey {
  const random = base62(BigInt(`0x${Buffer.from(randomness.bytes(secretBytes)).toString('hex')}`), randomLength);
  const beginning = `${slug}_${mode}_`;
  const secret = beginning + random + checksumOf(beginning + random);
  return { secret, prefix: beginning + random.slice(0, visibleLength), hash: sha256(secret) };
}

/** Whether a text begins like a key of this service. */
export const beginsLikeKey = (slug: string, text: string): boolean =>
  modes.some((mode) => text.startsWith(`${slug}_${mode}_`));

/** Parses a key of this service. Undefined for any other text, including mistyped keys; never throws. */
export function parseApiKey(slug: string, text: string): ParsedApiKey | undefined {
  if (typeof text !== 'string') return undefined;
  for (const mode of modes) {
    const beginning = `${slug}_${mode}_`;
    const checkedLength = beginning.length + randomLength;
    if (text.length !== checkedLength + checksumLength || !text.startsWith(beginning)) continue;
    if (!randomPart.test(text.slice(beginning.length))) return undefined;
    if (checksumOf(text.slice(0, checkedLength)) !== text.slice(checkedLength)) return undefined;
    return { mode, hash: sha256(text) };
  }
  return undefined;
}

/**
 * The token of an Authorization header, RFC 6750. Undefined for a missing header, another scheme, a repeated header,
 * and for more than one token.
 */
export function parseBearer(header: string | readonly string[] | undefined): string | undefined {
  const [value, ...otherValues] = typeof header === 'string' ? [header] : (header ?? []);
  if (typeof value !== 'string' || otherValues.length > 0 || value.length > maxHeaderLength) return undefined;
  return bearer.exec(value)?.[1];
}
