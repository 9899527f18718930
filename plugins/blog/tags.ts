// The addresses of tags. Tags that differ only in case, width, spaces, hyphens or invisible characters have the same
// address and share one page. Pure.
import { createHash } from 'node:crypto';

/** The longest address of a tag without its hash. */
const maxLength = 80;

/** The tag without differences that readers do not see. */
const comparable = (tag: string): string =>
  tag
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/\p{Cc}|\p{Cf}|\p{Variation_Selector}/gu, '')
    .replace(/[\s\p{Pd}_]+/gu, ' ')
    .trim();

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * The last part of the address of a tag's page: its letters, marks and digits in any script. Spaces become hyphens. If
 * the tag has other characters, such as `C++` and `C#`, or is too long, a hash of it follows.
 */
export function tagSlug(tag: string): string {
  const text = comparable(tag);
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
  const whole = words.join('-');
  const slug = [...whole].slice(0, maxLength).join('');
  return slug === text.replaceAll(' ', '-') && slug !== ''
    ? slug
    : `${slug.replace(/-$/, '') || 'tag'}-${hashOf(text)}`;
}

/** The addresses of a post's tags, each once. */
export const tagSlugs = (tags: readonly string[]): readonly string[] => [...new Set(tags.map(tagSlug))];
