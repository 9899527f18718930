// Slugs as texts: what one is, how one is made of a title, and how one stands in a URL. They have letters and digits of all scripts.
// Called by slug.ts, by plugins with public pages, and where headings get names. Pure.
import { shortened } from './shorten.ts';

const maxSlug = 80;
/** Leaves room for a number after it. */
const maxMade = 60;

const form = /^[\p{L}\p{Nd}]\p{M}*(?:-*[\p{L}\p{Nd}]\p{M}*)*$/u;

/** Whether the text, composed (NFC), is a slug. */
export const isSlug = (text: string): boolean =>
  [...text].length <= maxSlug && text === text.toLowerCase() && form.test(text);

/** Letters that lose more than a mark. */
const spelledOut: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', ł: 'l', đ: 'd', þ: 'th', ı: 'i' },
};

/** The words of a title in lower case. Latin letters lose their marks; letters of other scripts are not letters without them. */
const wordsOf = (title: string): string[] =>
  title
    .toLowerCase()
    .replace(/[ßæøœłđþı]/g, (letter) => spelledOut[letter] ?? '')
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    // What chooses the form of a sign, and marks on what is no letter.
    .replace(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu, '')
    .replace(/(?<![\p{L}\p{M}])\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{Nd}\p{M}]+/u)
    .filter((word) => word !== '');

/** A slug for a title; `otherwise` for one without any letter and digit. */
export function slugFrom(title: string, otherwise: string): string {
  const words = wordsOf(title);
  let made = '';
  for (const word of words) {
    const longer = made === '' ? word : `${made}-${word}`;
    if (longer.length > maxMade) break;
    made = longer;
  }
  // A script without spaces is one long word.
  return made || shortened(words[0] ?? '', maxMade, { sign: '' }) || otherwise;
}

/** A slug as a part of a URL. */
export const slugInUrl = (slug: string): string => encodeURIComponent(slug);

/** The slug that a part of a URL or of a request means: some programs send letters and marks apart. */
export const slugMeant = (given: string): string => given.normalize('NFC');
