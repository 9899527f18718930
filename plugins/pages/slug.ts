// Slugs of pages and of blog posts. Without underscores they cannot look like an id. Called by schemas, and where a slug is made.
import { z } from '../../core/index.ts';

const maxSlug = 80;
/** Leaves room for a number after it. */
const maxMade = 60;

/** Paths that the service itself serves beside pages. */
export const reservedSlugs: ReadonlySet<string> = new Set(['blog', 'forms', 'preview', 'feed']);

/** A slug. */
export const slug = z
  .string()
  .min(1)
  .max(maxSlug)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'Lower-case letters, digits and hyphens, no hyphen at an end.');

/** A slug that a caller gives. */
export const givenSlug = slug.refine((text) => !reservedSlugs.has(text), {
  error: ({ input }) => `${String(input)} is a path of the service itself. Choose another slug.`,
});

/** Letters that lose more than a mark. */
const spelledOut: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', ł: 'l', đ: 'd', þ: 'th' };

/** A slug for a title; `otherwise` for one without any letter of a to z and digit. */
export function slugFrom(title: string, otherwise: string): string {
  const words = title
    .toLowerCase()
    .replace(/[ßæøœłđþ]/g, (letter) => spelledOut[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/['’]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  let made = '';
  for (const word of words) {
    const longer = made === '' ? word : `${made}-${word}`;
    if (longer.length > maxMade) break;
    made = longer;
  }
  return made || words[0]?.slice(0, maxMade) || otherwise;
}
