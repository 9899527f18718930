// The tokens of gifts: the lead magnet, its side, the end, and a MAC over all of it. Whoever has one saves the latest export for 7
// days. Keys of the keyring that open old values keep old tokens valid.
import type { CorePorts } from '../../../core/index.ts';

type Keyring = CorePorts['keyring'];

/** How long a gift can be fetched. */
export const giftMs = 7 * 86_400_000;

/** What a token names. */
export interface GiftToken {
  readonly id: string;
  readonly sandbox: boolean;
  /** Milliseconds since the epoch, in whole seconds. */
  readonly expiresAt: number;
}

const purpose = 'lead magnet gifts';
/** RFC 2104, section 5: at least half of the hash. */
const macBytes = 16;
const form = /^([lt])([0-9A-Z]{26})([0-9a-z]{6,8})-([\w-]{22})$/;

const signed = ({ id, sandbox, expiresAt }: GiftToken): string => `${id} ${sandbox ? 'test' : 'live'} ${expiresAt}`;

/** A token that ends 7 days after `now`. */
export function giftToken(keyring: Keyring, { id, sandbox }: Omit<GiftToken, 'expiresAt'>, now: number): string {
  const seconds = Math.floor((now + giftMs) / 1_000);
  const mac = keyring.mac(signed({ id, sandbox, expiresAt: seconds * 1_000 }), purpose).subarray(0, macBytes);
  return `${sandbox ? 't' : 'l'}${id.slice('lm_'.length)}${seconds.toString(36)}-${Buffer.from(mac).toString('base64url')}`;
}

/** Undefined for a text that the service did not make. A token that has ended is answered: `expiresAt` says so. */
export function readGiftToken(keyring: Keyring, text: string): GiftToken | undefined {
  const [, side, id, seconds = '', mac = ''] = form.exec(text) ?? [];
  if (id === undefined) return undefined;
  const token = { id: `lm_${id}`, sandbox: side === 't', expiresAt: Number.parseInt(seconds, 36) * 1_000 };
  const bytes = Buffer.from(mac, 'base64url');
  // The last character of base64 has spare bits: of the texts for the same bytes, one alone is a token.
  const isOurs = bytes.toString('base64url') === mac && keyring.verifyMac(bytes, signed(token), purpose);
  return isOurs ? token : undefined;
}

/** The path of a gift on a content host. */
export const giftPath = (token: string): string => `/gifts/${token}`;
