// The tokens in tracked links, pixels and unsubscribe links: the send's id and a MAC over it. They hold no address, and one
// made for opens is none for unsubscribing. The keys of the keyring that open old values keep old tokens valid.
import type { CorePorts } from '../../../core/index.ts';

type Keyring = CorePorts['keyring'];

/** What a token is for. */
export type TokenUse = 'open' | 'click' | 'unsubscribe';

/** A token that the service made. */
export interface TrackingToken {
  readonly sendId: string;
  /** The number of the link in the message, for clicks; 0 for other tokens. */
  readonly link: number;
}

const purpose = 'email tracking';
const prefix = 'snd_';
/** RFC 2104, section 5: at least half of the hash. */
const macBytes = 16;
const form = /^([0-9A-Z]{26})([\w-]{22})(0|[1-9]\d{0,4})?$/;

const signed = (use: TokenUse, { sendId, link }: TrackingToken): string => `${use} ${sendId} ${link}`;

/** Makes a token: the id without its prefix, the MAC, and for clicks the number of the link. */
export function makeToken(keyring: Keyring, use: TokenUse, token: TrackingToken): string {
  const mac = Buffer.from(keyring.mac(signed(use, token), purpose).subarray(0, macBytes)).toString('base64url');
  return `${token.sendId.slice(prefix.length)}${mac}${use === 'click' ? token.link : ''}`;
}

/** Checks a token; undefined for one that the service did not make for this use. */
export function readToken(keyring: Keyring, use: TokenUse, text: string): TrackingToken | undefined {
  const [, id, mac = '', link] = form.exec(text) ?? [];
  if (id === undefined || (link !== undefined) !== (use === 'click')) return undefined;
  const token: TrackingToken = { sendId: `${prefix}${id}`, link: Number(link ?? 0) };
  const bytes = Buffer.from(mac, 'base64url');
  // The last character of base64 has spare bits: of the texts for the same bytes, one alone is a token.
  const isWhole = bytes.toString('base64url') === mac;
  return isWhole && keyring.verifyMac(bytes, signed(use, token), purpose) ? token : undefined;
}
