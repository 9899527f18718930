// The tokens in tracked links, pixels and unsubscribe links: the send's id and a MAC over it. They do not contain an address. A token
// for opens is not valid for unsubscribing. Old tokens stay valid while the keyring has the keys that open old values.
import type { CorePorts } from '../../../core/index.ts';

type Keyring = CorePorts['keyring'];

/** The purpose of a token. */
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

const signedText = (use: TokenUse, { sendId, link }: TrackingToken): string => `${use} ${sendId} ${link}`;

/** Creates a token: the id without its prefix, the MAC, and for clicks the number of the link. */
export function makeToken(keyring: Keyring, use: TokenUse, token: TrackingToken): string {
  const mac = Buffer.from(keyring.mac(signedText(use, token), purpose).subarray(0, macBytes)).toString('base64url');
  return `${token.sendId.slice(prefix.length)}${mac}${use === 'click' ? token.link : ''}`;
}

/** Checks a token; undefined if the service did not make it for this use. */
export function readToken(keyring: Keyring, use: TokenUse, text: string): TrackingToken | undefined {
  const [, id, mac = '', link] = form.exec(text) ?? [];
  if (id === undefined || (link !== undefined) !== (use === 'click')) return undefined;
  const token: TrackingToken = { sendId: `${prefix}${id}`, link: Number(link ?? 0) };
  const bytes = Buffer.from(mac, 'base64url');
  // The last base64 character has spare bits, so several texts decode to the same bytes. Only the canonical text is valid.
  const isWhole = bytes.toString('base64url') === mac;
  return isWhole && keyring.verifyMac(bytes, signedText(use, token), purpose) ? token : undefined;
}
