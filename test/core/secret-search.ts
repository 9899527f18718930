// Searches all output of a service for secrets, both plain and in common encodings. Used by attack-secrets.test.ts, and by the test that
// shows that planted secrets are found.
import { inspect } from 'node:util';

/** Content to search, with the name for findings in it */
export type Haystack = readonly [name: string, content: unknown];

/** The base64 of a text inside other bytes: only the characters that do not depend on the bytes around it */
function innerBase64(secret: string, offset: number, encoding: 'base64' | 'base64url'): string {
  const text = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
    .toString(encoding)
    .replaceAll('=', '');
  return text.slice(offset === 0 ? 0 : offset + 1, -2);
}

/** A secret in each encoding, by the name of the encoding */
export function encodingsOf(secret: string): ReadonlyMap<string, string> {
  const bytes = Buffer.from(secret);
  const offsets = [0, 1, 2].flatMap((offset) => [
    [`base64 at ${offset}`, innerBase64(secret, offset, 'base64')] as const,
    [`base64url at ${offset}`, innerBase64(secret, offset, 'base64url')] as const,
  ]);
  return new Map([
    ['plain', secret],
    ['reversed', [...secret].reverse().join('')],
    ['hex', bytes.toString('hex')],
    ['HEX', bytes.toString('hex').toUpperCase()],
    ['UTF-16', [...secret].join('\0')],
    ['a list of bytes', [...bytes].join(',')],
    ['its first half', secret.slice(0, Math.max(12, Math.ceil(secret.length / 2)))],
    ...offsets,
  ]);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content instanceof Uint8Array) return Buffer.from(content).toString('latin1');
  return inspect(content, { depth: 20, maxArrayLength: null, maxStringLength: null, showHidden: true });
}

/** Returns one line for each finding: the secret, its encoding, and its place. */
export function findSecrets(haystacks: readonly Haystack[], secrets: Readonly<Record<string, string>>): string[] {
  const needles = Object.entries(secrets).map(([name, secret]) => [name, encodingsOf(secret)] as const);
  return haystacks.flatMap(([source, content]) => {
    const text = textOf(content);
    return needles.flatMap(([name, encodings]) => {
      const [finding] = [...encodings].filter(([, needle]) => text.includes(needle));
      return finding === undefined ? [] : [`${name}, ${finding[0]}, in ${source}`];
    });
  });
}
