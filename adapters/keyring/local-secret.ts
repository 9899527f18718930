// The secrets of the local keyring: how they are written, and which are too weak. Used by local.ts only.

/** One key. */
export interface KeyringSecret {
  /** 1 to 64 letters, digits, `.`, `_` or `-`. Stands in every value that the key sealed, so it stays as it is. */
  readonly id: string;
  /** At least 32 random bytes: as bytes, base64, base64url or hex; or a text of its own of 32 bytes or more. */
  readonly secret: string | Uint8Array;
}

/** A key in bytes. */
export interface KeyMaterial {
  readonly id: string;
  readonly material: Uint8Array;
}

/** The way out of every refusal. */
export const makeSecret = 'Make one with: openssl rand -base64 32';

const minBytes = 32;

/** 32 random bytes hold fewer different ones less than once in 10²⁴ times; a repeated pattern nearly always does. */
const minDifferent = 12;

/** The bytes that a text stands for. What looks encoded is decoded, so that its length is not counted too high. */
function bytesOf(secret: string | Uint8Array): Uint8Array {
  if (typeof secret !== 'string') return Uint8Array.from(secret);
  const text = secret.trim();
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return Buffer.from(text, 'hex');
  if (/^[\w+/-]+={0,2}$/.test(text)) return Buffer.from(text, 'base64');
  return Buffer.from(text, 'utf8');
}

/**
 * Checks and decodes the keys, in their order.
 * @param origin how a refusal names the place that they came from
 * @throws Error on an id that is no id, an id used twice, a missing or a weak secret
 */
export function keyMaterials(secrets: readonly KeyringSecret[], origin: string): KeyMaterial[] {
  const ids = new Set<string>();
  return secrets.map(({ id, secret }) => {
    if (typeof id !== 'string' || !/^[\w.-]{1,64}$/.test(id)) {
      throw new Error(
        `${origin} has a key without a usable id. An id is 1 to 64 letters, digits, dots, dashes or underscores.`,
      );
    }
    if (ids.has(id)) throw new Error(`${origin} has two keys with the id "${id}". Give each its own.`);
    ids.add(id);
    if (typeof secret !== 'string' && !(secret instanceof Uint8Array)) {
      throw new Error(`${origin} has no secret for the key "${id}". ${makeSecret}`);
    }
    const material = bytesOf(secret);
    if (material.length < minBytes) {
      throw new Error(
        `${origin} has a secret of ${material.length} bytes for the key "${id}"; ${minBytes} are needed. ${makeSecret}`,
      );
    }
    if (new Set(material).size < minDifferent) {
      throw new Error(
        `${origin} has a secret for the key "${id}" that repeats itself and can be guessed. ${makeSecret}`,
      );
    }
    return { id, material };
  });
}
