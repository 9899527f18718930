// The secrets of the local keyring: their formats, and the check for weak secrets. Used by local-keyring.ts and
// local-file.ts.

/** A key's id and secret. */
export interface KeyringSecret {
  /**
   * 1 to 64 letters, digits, `.`, `_` or `-`. Every sealed value contains the id of its key, so an id never changes.
   */
  readonly id: string;
  /** At least 32 random bytes: as bytes, base64, base64url or hex; or a plain text of at least 32 bytes. */
  readonly secret: string | Uint8Array;
}

/** A key in bytes. */
export interface KeyMaterial {
  readonly id: string;
  readonly material: Uint8Array;
}

/** The advice for a usable key, which every refusal contains. */
export const secretHint = 'Make one with: openssl rand -base64 32';

const minBytes = 32;

/**
 * The chance that 32 random bytes contain fewer distinct bytes is below 10⁻²⁴. A repeated pattern nearly always contains
 * fewer.
 */
const minDistinctBytes = 12;

/** A key in a list that is given as one text: `2026-11:BASE64`. */
const keyPairPattern = /^([^:]+):([\w+/-]+={0,2})$/;

/** The code with which a program takes its keys from the environment, for messages. */
export const keysOfEnvironment = 'localKeyring({ keys: process.env.POSTRIDER_KEY })';

/**
 * The keys in one text, such as an environment variable: `2026-11:BASE64,development:BASE64`, newest first. A single
 * secret without an id gets the id `a`.
 * @param origin the source of the text, as named in refusals
 * @throws Error for a part that is not `id:BASE64`
 */
export function keysIn(text: string, origin: string): KeyringSecret[] {
  if (text.trim() === '') return [];
  if (quotedPattern.test(text) || text.split(',').some((part) => quotedPattern.test(part.replace(/^[^:]*:/, '')))) {
    throw new Error(`${origin} has quotes around it. They do not belong to the keys: remove them from the variable.`);
  }
  if (!/[:,]/.test(text)) return [{ id: 'a', secret: text }];
  return text.split(',').map((part, index) => {
    const [, id, secret] = keyPairPattern.exec(part.trim()) ?? [];
    if (id === undefined || secret === undefined) {
      throw new Error(
        `${origin} is a list, and its key number ${index + 1} does not have the form id:BASE64. Write the newest key first: 2026-11:BASE64,development:BASE64. ${secretHint}`,
      );
    }
    return { id, secret };
  });
}

/** Quotes around a value. A shell or a .env reader removes them; docker --env-file keeps them. */
const quotedPattern = /^\s*(["'`]).*\1\s*$/s;

/** An API key. It is no usable secret: programs and people know it, and it may be replaced at any time. */
const apiKeyPattern = /^(?:bearer +)?[a-z0-9]+_(?:live|test|mcp)_[0-9A-Za-z]+$/i;

/** The bytes that a text encodes. Text that looks encoded is decoded, so that its length is not overestimated. */
function bytesOf(secret: string | Uint8Array): Uint8Array {
  if (typeof secret !== 'string') return Uint8Array.from(secret);
  const text = secret.trim();
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[\w+/-]+={0,2}$/.test(text)) return Buffer.from(text, 'base64');
  return Buffer.from(text, 'utf8');
}

/**
 * Checks and decodes the keys, in the given order.
 * @param origin the source of the keys, as named in refusals
 * @throws Error for an invalid id, a duplicate id, a missing or a weak secret
 */
export function keyMaterials(secrets: readonly KeyringSecret[], origin: string): KeyMaterial[] {
  const ids = new Set<string>();
  return secrets.map(({ id, secret }) => {
    if (typeof id !== 'string' || !/^[\w.-]{1,64}$/.test(id)) {
      throw new Error(
        `${origin} has a key without a usable id. An id is 1 to 64 letters, digits, dots, dashes or underscores.`,
      );
    }
    if (ids.has(id)) throw new Error(`${origin} has two keys with the id "${id}". Use different ids.`);
    ids.add(id);
    if (typeof secret !== 'string' && !(secret instanceof Uint8Array)) {
      throw new Error(`${origin} has no secret for the key "${id}". ${secretHint}`);
    }
    if (typeof secret === 'string' && quotedPattern.test(secret)) {
      throw new Error(
        `${origin} has quotes around the secret of the key "${id}". They do not belong to it: remove them from the variable.`,
      );
    }
    if (typeof secret === 'string' && apiKeyPattern.test(secret.trim())) {
      throw new Error(
        `${origin} has an API key as the secret of the key "${id}". A keyring needs a secret of its own: was POSTRIDER_KEY meant to be POSTRIDER_API_KEY? ${secretHint}`,
      );
    }
    if (typeof secret === 'string' && secret.split(',').every((part) => keyPairPattern.test(part.trim()))) {
      throw new Error(
        `${origin} has a list of keys as the secret of the key "${id}". Give the list: ${keysOfEnvironment}`,
      );
    }
    const material = bytesOf(secret);
    if (material.length < minBytes) {
      throw new Error(
        `${origin} has a secret of ${material.length} bytes for the key "${id}"; ${minBytes} are needed. ${secretHint}`,
      );
    }
    if (new Set(material).size < minDistinctBytes) {
      throw new Error(
        `${origin} has a secret for the key "${id}" that is repetitive and can be guessed. ${secretHint}`,
      );
    }
    return { id, material };
  });
}
