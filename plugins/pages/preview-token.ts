// The tokens of previews: the page, the end time, and a MAC over both. Anyone with a token sees the working copy for 24
// hours. Old tokens stay valid while the keyring contains the key that signed them.
import type { CorePorts } from '../../core/index.ts';

type Keyring = CorePorts['keyring'];

/** The lifetime of a preview, in milliseconds. */
export const previewMs = 86_400_000;

/** The content of a token. */
export interface PreviewToken {
  readonly pageId: string;
  /** Milliseconds since the epoch, in whole seconds. */
  readonly expiresAt: number;
}

const purpose = 'page previews';
/** RFC 2104, section 5: at least half of the hash. */
const macBytes = 16;
const tokenPattern = /^([0-9A-Z]{26})([0-9a-z]{6,8})-([\w-]{22})$/;

const signedText = ({ pageId, expiresAt }: PreviewToken): string => `${pageId} ${expiresAt}`;

/** Makes a token that ends 24 hours after `now`. */
export function previewToken(keyring: Keyring, pageId: string, now: number): string {
  const seconds = Math.floor((now + previewMs) / 1_000);
  const mac = keyring.mac(signedText({ pageId, expiresAt: seconds * 1_000 }), purpose).subarray(0, macBytes);
  return `${pageId.slice('pg_'.length)}${seconds.toString(36)}-${Buffer.from(mac).toString('base64url')}`;
}

/** Reads a token. Returns undefined for a text that the service did not make, and for an expired token. */
export function readPreviewToken(keyring: Keyring, text: string, now: number): PreviewToken | undefined {
  const [, id, seconds = '', mac = ''] = tokenPattern.exec(text) ?? [];
  if (id === undefined) return undefined;
  const token = { pageId: `pg_${id}`, expiresAt: Number.parseInt(seconds, 36) * 1_000 };
  const bytes = Buffer.from(mac, 'base64url');
  // The last character of base64 has spare bits. Several texts stand for the same bytes; only one of them is accepted as a token.
  const isValid = bytes.toString('base64url') === mac && keyring.verifyMac(bytes, signedText(token), purpose);
  return isValid && token.expiresAt > now ? token : undefined;
}

/** The path of a preview on a content host. */
export const previewPath = (token: string): string => `/p/preview/${token}`;
