// The tokens in links that people get by mail: an id and a MAC over it, so that they hold no address and cannot be made without the key.
// The keys of the keyring that open old values keep old tokens valid. Pure but for the keyring.
import type { CorePorts } from '../../../core/index.ts';

type Keyring = CorePorts['keyring'];

/** RFC 2104, section 5: at least half of the hash. */
const macBytes = 16;
const purpose = 'contact lists';

const macOf = (keyring: Keyring, text: string): string =>
  Buffer.from(keyring.mac(text, purpose).subarray(0, macBytes)).toString('base64url');

/** The last character of base64 has spare bits: of the texts for the same bytes, one alone is a token. */
function isMac(keyring: Keyring, mac: string, text: string): boolean {
  const bytes = Buffer.from(mac, 'base64url');
  return bytes.toString('base64url') === mac && keyring.verifyMac(bytes, text, purpose);
}

const confirmationForm = /^([0-9A-Z]{26})([\w-]{22})$/;

/** The token of a mail that asks to confirm. */
export const confirmationToken = (keyring: Keyring, confirmationId: string): string =>
  `${confirmationId.slice('lcf_'.length)}${macOf(keyring, `confirm ${confirmationId}`)}`;

/** The id of the confirmation; undefined for a token that the service did not make. */
export function readConfirmationToken(keyring: Keyring, token: string): string | undefined {
  const [, id, mac = ''] = confirmationForm.exec(token) ?? [];
  if (id === undefined) return undefined;
  return isMac(keyring, mac, `confirm lcf_${id}`) ? `lcf_${id}` : undefined;
}

/** Whom a token of the preferences names: a contact, or the recipient of a send to an address without a contact. */
export interface PreferencesToken {
  readonly kind: 'contact' | 'send';
  readonly id: string;
  /** Whether the token was made for this normalised address: a contact may have got another one since. */
  isFor(email: string): boolean;
}

const preferencesForm = /^([cs])([0-9A-Z]{26})([\w-]{22})$/;
const prefixes = { c: 'con_', s: 'snd_' } as const;

const preferencesText = (id: string, email: string): string => `preferences ${id} ${email}`;

/** The token of the preferences of a contact or of a send's recipient. Bound to the address, which is not in it. */
export const preferencesToken = (keyring: Keyring, id: string, email: string): string =>
  `${id.startsWith(prefixes.c) ? 'c' : 's'}${id.slice(4)}${macOf(keyring, preferencesText(id, email))}`;

/** Reads a token; the caller looks the address up and asks `isFor`. Undefined for any other text. */
export function readPreferencesToken(keyring: Keyring, token: string): PreferencesToken | undefined {
  const [, letter, rest, mac = ''] = preferencesForm.exec(token) ?? [];
  if (letter !== 'c' && letter !== 's') return undefined;
  const id = `${prefixes[letter]}${rest}`;
  return {
    kind: letter === 'c' ? 'contact' : 'send',
    id,
    isFor: (email) => isMac(keyring, mac, preferencesText(id, email)),
  };
}
