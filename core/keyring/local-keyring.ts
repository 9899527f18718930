// The keyring in this process: keys from the configuration or from a file, AES-256-GCM, HKDF, HMAC. Opened at start,
// never at construction. Its error messages never contain a secret or a part of the key file.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
  timingSafeEqual,
} from 'node:crypto';
import { checkOptions } from '../contract/errors/check-options.ts';
import type { Keyring, KeyringAdapter } from '../contract/ports/keyring.ts';
import { createKeyFile, readKeyFile } from './local-file.ts';
import { type KeyringSecret, keyMaterials, keysIn, keysOfEnvironment, secretHint } from './local-secret.ts';

/** Keys given by the embedding program. */
export interface KeyringKeys {
  /**
   * The first key seals; every key opens. To rotate, put a new key in front. A text contains `id:BASE64` pairs
   * separated by commas, as an environment variable does: `2026-11:BASE64,development:BASE64`. A single secret without
   * an id gets the id `a`. Undefined, as for a variable that is not set, is refused when the keyring is opened.
   */
  readonly keys: readonly KeyringSecret[] | string | undefined;
}

/** Keys in a separate file. */
export interface KeyringFile {
  /**
   * A JSON file `{ "keys": [{ "id", "secret" }] }`; the first key seals. Development creates a missing file (mode
   * 0600). Production never does, and requires this option. (Default: `.postrider/keyring.json` in the working
   * directory)
   */
  readonly file?: string;
}

/** The source of the keys. */
export type LocalKeyringOptions = KeyringKeys | KeyringFile;

const developmentFile = '.postrider/keyring.json';
const formatVersion = 1;
const nonceLength = 12;
const tagLength = 16;
const minMacBytes = 16;
const cipher = 'aes-256-gcm';
const salt = 'postrider keyring 1';

/** Nonces are drawn in batches, because a single draw costs as much as sealing a small value. */
const nonces = Buffer.alloc(nonceLength * 512);
let noncesUsed = nonces.length;

function drawNonce(): Buffer {
  if (noncesUsed === nonces.length) {
    randomFillSync(nonces);
    noncesUsed = 0;
  }
  noncesUsed += nonceLength;
  return nonces.subarray(noncesUsed - nonceLength, noncesUsed);
}

interface OpenedKey {
  readonly id: Buffer;
  readonly sealing: KeyObject;
  /** The keys for `mac` by purpose. Purposes are constants of the code, so there are few. */
  readonly purposes: Map<string, KeyObject>;
  derive(info: string): KeyObject;
}

function openKey(id: string, material: Uint8Array): OpenedKey {
  const derive = (info: string): KeyObject =>
    createSecretKey(new Uint8Array(hkdfSync('sha256', material, salt, info, 32)));
  return { id: Buffer.from(id, 'latin1'), sealing: derive('seal'), purposes: new Map(), derive };
}

/** Sealed values: version (1 byte), length of the key id (1), key id, nonce (12), tag (16), ciphertext. */
function createKeyring(keys: ReadonlyMap<string, OpenedKey>, firstKey: OpenedKey): Keyring {
  const keyring: Keyring = {
    seal(plain, context) {
      const nonce = drawNonce();
      const sealingCipher = createCipheriv(cipher, firstKey.sealing, nonce, { authTagLength: tagLength });
      sealingCipher.setAAD(Buffer.from(context, 'utf8'));
      const ciphertext = sealingCipher.update(plain);
      sealingCipher.final();
      const beginning = Uint8Array.of(formatVersion, firstKey.id.length);
      return Buffer.concat([beginning, firstKey.id, nonce, sealingCipher.getAuthTag(), ciphertext]);
    },

    open(sealed, context) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const nonceAt = 2 + (bytes[1] ?? 0);
      const tagAt = nonceAt + nonceLength;
      const ciphertextAt = tagAt + tagLength;
      if (bytes[0] !== formatVersion || bytes.length < ciphertextAt)
        throw new Error('The keyring did not seal this value.');
      const id = bytes.toString('latin1', 2, nonceAt);
      const key = keys.get(id);
      if (key === undefined) {
        throw new Error(
          `The value was sealed with a key that is not configured (${printable(id)}). Add it after the first one.${locationHint(id)}`,
        );
      }
      const openingCipher = createDecipheriv(cipher, key.sealing, bytes.subarray(nonceAt, tagAt), {
        authTagLength: tagLength,
      });
      openingCipher.setAAD(Buffer.from(context, 'utf8'));
      openingCipher.setAuthTag(bytes.subarray(tagAt, ciphertextAt));
      try {
        const plain = openingCipher.update(bytes.subarray(ciphertextAt));
        openingCipher.final();
        return plain;
      } catch {
        throw new Error(
          `The sealed value was altered, belongs to another context, or was sealed with another secret under the id ${printable(id)}.${locationHint(id)}`,
        );
      }
    },

    // The id alone proves nothing, because another secret may have had it. The value must be opened.
    isCurrent(sealed, context) {
      if (sealed[1] !== firstKey.id.length || !firstKey.id.equals(sealed.subarray(2, 2 + firstKey.id.length)))
        return false;
      try {
        keyring.open(sealed, context);
        return true;
      } catch {
        return false;
      }
    },

    mac: (text, purpose) => macOf(firstKey, text, purpose),

    verifyMac(mac, text, purpose) {
      if (mac.length < minMacBytes) return false;
      let valid = false;
      // Every key is tried, even after a match, so that the time does not reveal the matching key.
      for (const key of keys.values()) {
        const expected = macOf(key, text, purpose).subarray(0, mac.length);
        if (expected.length === mac.length && timingSafeEqual(expected, mac)) valid = true;
      }
      return valid;
    },
  };
  return keyring;
}

function macOf(key: OpenedKey, text: string, purpose: string): Buffer {
  let derived = key.purposes.get(purpose);
  if (derived === undefined) {
    derived = key.derive(`mac ${purpose}`);
    key.purposes.set(purpose, derived);
  }
  return createHmac('sha256', derived).update(text, 'utf8').digest();
}

/** A damaged value's key id may contain any bytes; a log line must not contain them. */
const printable = (id: string): string => (/^[\w.-]+$/.test(id) ? id : 'with an unreadable id');

/** A sentence that says where a missing key is, if this is known; otherwise an empty text. */
const locationHint = (id: string): string =>
  id === 'development' ? ` The key of postrider dev is in ${developmentFile}.` : '';

function keyringOf(secrets: readonly KeyringSecret[], origin: string): Keyring {
  const keys = new Map<string, OpenedKey>();
  for (const { id, material } of keyMaterials(secrets, origin)) keys.set(id, openKey(id, material));
  const [firstKey] = keys.values();
  if (firstKey === undefined) throw new Error(`${origin} holds no key. ${secretHint}`);
  return createKeyring(keys, firstKey);
}

/**
 * The keyring of one installation. Every process of the installation needs the same keys. After 2³² values sealed by
 * one key, the chance of two equal nonces exceeds 2⁻³²: put a new key in front before that. `mac` uses the first key
 * only, so a rotation invalidates values that are compared with a new MAC (cursors, sessions); `verifyMac` accepts the
 * MACs of every key.
 */
export function localKeyring(options: LocalKeyringOptions = {}): KeyringAdapter {
  checkOptions<LocalKeyringOptions>('localKeyring', options, { keys: 'optional', file: 'optional' });
  return {
    id: 'local',
    ...('keys' in options ? {} : { file: options.file ?? developmentFile }),
    async open(environment) {
      if ('keys' in options) {
        const origin = 'localKeyring({ keys })';
        const { keys } = options;
        return keyringOf(typeof keys === 'string' ? keysIn(keys, origin) : (keys ?? []), origin);
      }
      const file = options.file ?? developmentFile;
      const origin = `The key file ${file}`;
      if (environment === 'development') return keyringOf(await createKeyFile(file), origin);
      if (options.file === undefined) {
        throw new Error(`Production needs its own key: ${keysOfEnvironment}. ${secretHint}`);
      }
      const secrets = await readKeyFile(file);
      if (secrets === undefined) {
        throw new Error(
          `${origin} does not exist, and production does not create it. Write {"keys":[{"id":"a","secret":"…"}]} into it. ${secretHint}`,
        );
      }
      return keyringOf(secrets, origin);
    },
  };
}
