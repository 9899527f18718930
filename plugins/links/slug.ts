// Slugs: reserved words and random slugs. Pure except for the random source.
import type { CorePorts } from '../../core/index.ts';

/** Paths that a short host or the service itself may need, in any case. */
const reserved: ReadonlySet<string> = new Set(
  `about abuse account admin api app assets auth billing blog contact dashboard dev docs favicon health healthz help home
  images inbox index legal link links links-console live login logout mcp metrics null oauth openapi privacy public qr ready
  redirect robots root s security settings signin signout signup sitemap static status support system t terms test u
  undefined unsubscribe v0 v1 v2 webhooks webhooks-console well-known www l`.split(/\s+/),
);

export const isReserved = (slug: string): boolean => reserved.has(slug.toLowerCase());

/**
 * Without characters that look alike (0, O, o; 1, I, l, i) and with few vowels, so that random slugs rarely contain
 * words.
 */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ';
const length = 7;

/** Seven characters, each equally likely. */
export function randomSlug({ randomness }: Pick<CorePorts, 'randomness'>): string {
  let slug = '';
  // Bytes beyond the largest multiple of the alphabet's length are skipped, because they would make some characters
  // likelier.
  const usableBytes = 256 - (256 % alphabet.length);
  while (slug.length < length)
    for (const byte of randomness.bytes(length * 2))
      if (byte < usableBytes && slug.length < length) slug += alphabet[byte % alphabet.length];
  return isReserved(slug) ? randomSlug({ randomness }) : slug;
}
