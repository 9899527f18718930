// The length of a tweet by X's published rule: units of 1 for the common alphabets and 2 for all others, URLs 23, emoji 2.
import { emojiSource } from './emoji.ts';
import { urlsIn } from './urls.ts';

const urlWeight = 23;

/** Code points that weigh 1, as pairs of the first and the last. */
const weightOneRanges: readonly (readonly [number, number])[] = [
  [0x0, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
];

const weightOf = (codePoint: number): number =>
  weightOneRanges.some(([first, last]) => codePoint >= first && codePoint <= last) ? 1 : 2;

const piece = new RegExp(`${emojiSource}|.`, 'gsu');

function plainWeight(text: string): number {
  let weight = 0;
  // A piece is an emoji with all of its parts, or one code point. A single code point such as © does not count as an emoji.
  for (const [pieceText] of text.matchAll(piece)) {
    const codePoint = pieceText.codePointAt(0) ?? 0;
    const isSingleCodePoint = pieceText.length === String.fromCodePoint(codePoint).length;
    weight += isSingleCodePoint ? weightOf(codePoint) : 2;
  }
  return weight;
}

/** The length of a text by X's rule, in units. */
export function weightedLength(input: string): number {
  const text = input.normalize('NFC');
  let weight = 0;
  let at = 0;
  for (const { start, end } of urlsIn(text)) {
    weight += plainWeight(text.slice(at, start)) + urlWeight;
    at = end;
  }
  return weight + plainWeight(text.slice(at));
}
