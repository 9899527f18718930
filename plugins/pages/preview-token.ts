// The tokens of previews: the page, the end, and a MAC over both. Whoever has one sees the working copy for 24 hours. Keys of the
// keyring that open old values keep old tokens valid.
import type { CorePorts } from '../../core/index.ts';

type Keyring = CorePorts['keyring'];

/** How long a preview is shown. */
export const previewMs = 86_400_000;

/** What a token names. */
export interface PreviewToken {
  readonly pageId: string;
  /** Milliseconds since the epoch, in whole seconds. */
  readonly expiresAt: number;
}

const purpose = 'page previews';
/** RFC 2104, section 5: at least half of the hash. */
const macBytes = 16;
const form = /^([0-9A-Z]{26})([0-9a-z]{6,8})-([\w-]{22})$/;

const signed = ({ pageId, expiresAt }: PreviewToken): string => `${pageId} ${expiresAt}`;

/** A token that ends 24 hours after `now`. */
export function previewToken(keyring: Keyring, pageId: string, now: number): string {
  const seconds = Math.floor((now + previewMs) / 1_000);
  const mac = keyring.mac(signed({ pageId, expiresAt: seconds * 1_000 }), purpose).subarray(0, macBytes);
  return `${pageId.slice('pg_'.length)}${seconds.toString(36)}-${Buffer.from(mac).toString('base64url')}`;
}

/** Undefined for a text that the service did not make, and for a token that has ended. */
export function readPreviewToken(keyring: Keyring, text: string, now: number): PreviewToken | undefined {
  const [, id, seconds = '', mac = ''] = form.exec(text) ?? [];
  if (id === undefined) return undefined;
  const token = { pageId: `pg_${id}`, expiresAt: Number.parseInt(seconds, 36) * 1_000 };
  const bytes = Buffer.from(mac, 'base64url');
  // The last character of base64 has spare bits: of the texts for the same bytes, one alone is a token.
  const isOurs = bytes.toString('base64url') === mac && keyring.verifyMac(bytes, signed(token), purpose);
  return isOurs && token.expiresAt > now ? token : undefined;
}

/** The path of a preview on a content host. */
export const previewPath = (token: string): string => `/p/preview/${token}`;
