// The tokens of previews: the post, the end time, and a MAC over both. Anyone with a token sees the working copy for 24
// hours. Old tokens stay valid while the keyring contains the key that signed them.
import type { CorePorts } from '../../core/index.ts';

type Keyring = CorePorts['keyring'];

/** The lifetime of a preview, in milliseconds. */
export const previewMs = 86_400_000;

const purpose = 'blog previews';
/** RFC 2104, section 5: at least half of the hash. */
const macBytes = 16;
const form = /^([0-9A-Z]{26})([0-9a-z]{6,8})-([\w-]{22})$/;

const signedText = (postId: string, expiresAt: number): string => `${postId} ${expiresAt}`;

/** Makes a token that ends 24 hours after `now`. */
export function previewToken(keyring: Keyring, postId: string, now: number): string {
  const seconds = Math.floor((now + previewMs) / 1_000);
  const mac = keyring.mac(signedText(postId, seconds * 1_000), purpose).subarray(0, macBytes);
  return `${postId.slice('blog_'.length)}${seconds.toString(36)}-${Buffer.from(mac).toString('base64url')}`;
}

/**
 * Returns the id of the post that the token names; undefined for a text that is not a token of the service, and for an
 * expired token.
 */
export function readPreviewToken(keyring: Keyring, text: string, now: number): string | undefined {
  const [, id, seconds = '', mac = ''] = form.exec(text) ?? [];
  if (id === undefined) return undefined;
  const postId = `blog_${id}`;
  const expiresAt = Number.parseInt(seconds, 36) * 1_000;
  const bytes = Buffer.from(mac, 'base64url');
  // The last character of base64 has spare bits, so several texts encode the same bytes. Only one of them is accepted as a token.
  const isOurs =
    bytes.toString('base64url') === mac && keyring.verifyMac(bytes, signedText(postId, expiresAt), purpose);
  return isOurs && expiresAt > now ? postId : undefined;
}

/** The path of a preview on a content host. */
export const previewPath = (token: string): string => `/blog/preview/${token}`;
