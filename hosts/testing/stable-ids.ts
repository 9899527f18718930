// Replaces the ids, secrets and cursors in responses with stable ones, which do not depend on how many ids were created before.
// Called by stage-example.ts. The same value always gets the same replacement.
import { hash } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const idPattern = /\b([a-z]+)_([0-9A-HJKMNP-TV-Z]{10})([0-9A-HJKMNP-TV-Z]{16})\b/g;
/** The visible prefix of a key, such as `postrider_live_a1B2c3`. */
const keyPattern = /\b([a-z0-9]+_(?:live|test|mcp)_)[0-9A-Za-z]{6}\b/g;
const secretPattern = /\b(whsec_)[0-9A-Za-z+/=_-]{8,}/g;

/** Sixteen characters derived from the name. */
const randomPartOf = (name: string): string =>
  Array.from(Buffer.from(hash('sha256', name), 'hex').subarray(0, 16), (byte) => alphabet[byte % 32]).join('');

/** Replaces values and remembers each replacement. */
export interface StableIds {
  /** The value with every id, key prefix, secret and cursor replaced. */
  replace<T>(value: T): T;
  /** The text with the original ids restored. */
  restore(text: string): string;
}

/** Starts empty: the first id with a prefix becomes the first stable id of that prefix. */
export function createStableIds(): StableIds {
  const stable = new Map<string, string>();
  const counts = new Map<string, number>();

  const replacementOf = (whole: string, kind: string, make: (name: string) => string): string => {
    const existing = stable.get(whole);
    if (existing !== undefined) return existing;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const created = make(`${kind}${count}`);
    stable.set(whole, created);
    return created;
  };

  const replaceText = (text: string): string =>
    text
      .replace(idPattern, (whole, prefix: string, time: string) =>
        replacementOf(whole, prefix, (name) => `${prefix}_${time}${randomPartOf(name)}`),
      )
      .replace(keyPattern, (whole, prefix: string) =>
        replacementOf(whole, prefix, (name) => `${prefix}${randomPartOf(name).slice(0, 6)}`),
      )
      .replace(secretPattern, (whole, prefix: string) =>
        replacementOf(whole, prefix, (name) => `${prefix}${randomPartOf(name)}${randomPartOf(`${name}+`)}`),
      );

  /** A cursor is JSON in base64url that contains ids. */
  const replaceCursor = (cursor: string): string =>
    Buffer.from(replaceText(Buffer.from(cursor, 'base64url').toString('utf8'))).toString('base64url');

  const walk = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return name === 'next_cursor' ? replaceCursor(value) : replaceText(value);
    if (Array.isArray(value)) return value.map((item) => walk(item, ''));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [replaceText(key), walk(inner, key)]));
  };

  return {
    replace: <T>(value: T): T => walk(value, '') as T,
    restore(text) {
      let restored = text;
      for (const [original, replacement] of stable) restored = restored.replaceAll(replacement, original);
      return restored;
    },
  };
}
