// The tokens of gifts: the lead magnet, its side, the end time, and a MAC over all of them. Anyone with a token can
// download the latest export for 7 days. Old tokens stay valid while the keyring contains the key that signed them.
import type { CorePorts } from '../../../core/index.ts';

type Keyring = CorePorts['keyring'];

/** The lifetime of a gift link, in milliseconds. */
export const giftMs = 7 * 86_400_000;

/** The content of a token. */
export interface GiftToken {
  readonly id: string;
  readonly sandbox: boolean;
  /** Milliseconds since the epoch, in whole seconds. */
  readonly expiresAt: number;
}

const purpose = 'lead magnet gifts';
/** RFC 2104, section 5: at least half of the hash. */
const macBytes = 16;
const tokenPattern = /^([lt])([0-9A-Z]{26})([0-9a-z]{6,8})-([\w-]{22})$/;

const signedText = ({ id, sandbox, expiresAt }: GiftToken): string => `${id} ${sandbox ? 'test' : 'live'} ${expiresAt}`;

/** Makes a token that ends 7 days after `now`. */
export function giftToken(keyring: Keyring, { id, sandbox }: Omit<GiftToken, 'expiresAt'>, now: number): string {
  const seconds = Math.floor((now + giftMs) / 1_000);
  const mac = keyring.mac(signedText({ id, sandbox, expiresAt: seconds * 1_000 }), purpose).subarray(0, macBytes);
  return `${sandbox ? 't' : 'l'}${id.slice('lm_'.length)}${seconds.toString(36)}-${Buffer.from(mac).toString('base64url')}`;
}

/**
 * Reads a token. Returns undefined for a text that the service did not make. An expired token is returned too: check
 * `expiresAt`.
 */
export function readGiftToken(keyring: Keyring, text: string): GiftToken | undefined {
  const [, side, id, seconds = '', mac = ''] = tokenPattern.exec(text) ?? [];
  if (id === undefined) return undefined;
  const token = { id: `lm_${id}`, sandbox: side === 't', expiresAt: Number.parseInt(seconds, 36) * 1_000 };
  const bytes = Buffer.from(mac, 'base64url');
  // The last character of base64 has spare bits. Several texts stand for the same bytes; only one of them is accepted as a token.
  const isValid = bytes.toString('base64url') === mac && keyring.verifyMac(bytes, signedText(token), purpose);
  return isValid ? token : undefined;
}

/** The path of a gift on a content host. */
export const giftPath = (token: string): string => `/gifts/${token}`;
