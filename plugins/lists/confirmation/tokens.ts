// The tokens in links that people get by mail: an id and a MAC over it. They do not contain an address, and nobody can
// make one without the key. Old tokens stay valid as long as the keyring has their key. Pure except for the keyring.
import type { CorePorts } from '../../../core/index.ts';

type Keyring = CorePorts['keyring'];

/** RFC 2104, section 5: at least half of the hash. */
const macBytes = 16;
const purpose = 'contact lists';

const macOf = (keyring: Keyring, text: string): string =>
  Buffer.from(keyring.mac(text, purpose).subarray(0, macBytes)).toString('base64url');

/** Checks a MAC. The last base64 character has spare bits, so several texts decode to the same bytes. Only the canonical one is valid. */
function isMac(keyring: Keyring, mac: string, text: string): boolean {
  const bytes = Buffer.from(mac, 'base64url');
  return bytes.toString('base64url') === mac && keyring.verifyMac(bytes, text, purpose);
}

const confirmationPattern = /^([0-9A-Z]{26})([\w-]{22})$/;

/** The token of a confirmation mail. */
export const confirmationToken = (keyring: Keyring, confirmationId: string): string =>
  `${confirmationId.slice('lcf_'.length)}${macOf(keyring, `confirm ${confirmationId}`)}`;

/** The id of the confirmation; undefined if the service did not make the token. */
export function readConfirmationToken(keyring: Keyring, token: string): string | undefined {
  const [, id, mac = ''] = confirmationPattern.exec(token) ?? [];
  if (id === undefined) return undefined;
  return isMac(keyring, mac, `confirm lcf_${id}`) ? `lcf_${id}` : undefined;
}

/** The person that a preferences token identifies: a contact, or the recipient of a send to an address without a contact. */
export interface PreferencesToken {
  readonly kind: 'contact' | 'send';
  readonly id: string;
  /** Whether the token was issued for this normalised address. The contact's address may have changed since then. */
  isFor(email: string): boolean;
}

const preferencesPattern = /^([cs])([0-9A-Z]{26})([\w-]{22})$/;
const prefixes = { c: 'con_', s: 'snd_' } as const;

const preferencesText = (id: string, email: string): string => `preferences ${id} ${email}`;

/** The preferences token of a contact or of a send's recipient. It is bound to the address, but does not contain it. */
export const preferencesToken = (keyring: Keyring, id: string, email: string): string =>
  `${id.startsWith(prefixes.c) ? 'c' : 's'}${id.slice(4)}${macOf(keyring, preferencesText(id, email))}`;

/** Reads a token. The caller then looks the address up and calls `isFor`. Undefined for any other text. */
export function readPreferencesToken(keyring: Keyring, token: string): PreferencesToken | undefined {
  const [, letter, idPart, mac = ''] = preferencesPattern.exec(token) ?? [];
  if (letter !== 'c' && letter !== 's') return undefined;
  const id = `${prefixes[letter]}${idPart}`;
  return {
    kind: letter === 'c' ? 'contact' : 'send',
    id,
    isFor: (email) => isMac(keyring, mac, preferencesText(id, email)),
  };
}
