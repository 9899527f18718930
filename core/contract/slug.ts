// Slugs: the readable last part of a public address. Called by plugins with public pages, in schemas and where a slug is made of a
// title. Without underscores none looks like an id.
import * as z from './zod.ts';

const maxSlug = 80;
/** Leaves room for a number after it. */
const maxMade = 60;

/** A slug. */
export const slug = z
  .string()
  .min(1)
  .max(maxSlug)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'Lower-case letters, digits and hyphens, no hyphen at an end.');

/** A slug that a caller gives: none of those that the service itself serves. */
export const slugBeside = (reserved: ReadonlySet<string>) =>
  slug.refine((text) => !reserved.has(text), {
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
