// Slugs as texts: checks slugs, makes a slug from a title, and encodes a slug for a URL. Slugs may have letters and digits of all
// scripts. Called by slug.ts, by plugins with public pages, and by code that names headings. Pure.
import { shortened } from './shorten.ts';

const maxSlug = 80;
/** The longest slug that is made from a title. It leaves room for a number at the end. */
const maxGenerated = 60;

const slugPattern = /^[\p{L}\p{Nd}]\p{M}*(?:-*[\p{L}\p{Nd}]\p{M}*)*$/u;

/** Whether the text, composed (NFC), is a slug. */
export const isSlug = (text: string): boolean =>
  [...text].length <= maxSlug && text === text.toLowerCase() && slugPattern.test(text);

/** Letters whose plain spelling is not simply the letter without its mark. */
const plainSpellings: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', ł: 'l', đ: 'd', þ: 'th', ı: 'i' },
};

/**
 * The words of a title in lower case. Latin letters lose their marks. Letters of other scripts keep their marks, because without
 * them the words change.
 */
const wordsOf = (title: string): string[] =>
  title
    .toLowerCase()
    .replace(/[ßæøœłđþı]/g, (letter) => plainSpellings[letter] ?? '')
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    // Remove variation selectors, and marks that do not follow a letter.
    .replace(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu, '')
    .replace(/(?<![\p{L}\p{M}])\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{Nd}\p{M}]+/u)
    .filter((word) => word !== '');

/** Makes a slug from a title. Returns `fallback` if the title has no letters and digits. */
export function slugFrom(title: string, fallback: string): string {
  const words = wordsOf(title);
  let slug = '';
  for (const word of words) {
    const candidate = slug === '' ? word : `${slug}-${word}`;
    if (candidate.length > maxGenerated) break;
    slug = candidate;
  }
  // A title in a script without spaces is one long word.
  return slug || shortened(words[0] ?? '', maxGenerated, { sign: '' }) || fallback;
}

/** A slug as a part of a URL. */
export const encodeSlug = (slug: string): string => encodeURIComponent(slug);

/**
 * The slug in a part of a URL or in a request. Composes it (NFC), because some programs send letters and marks separately. Control
 * characters, which no slug has, are replaced, because PostgreSQL refuses a NUL even in a comparison.
 */
export const normaliseSlug = (input: string): string => input.normalize('NFC').replace(/\p{Cc}/gu, '\ufffd');
