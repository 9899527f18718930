// Text from right to left: the direction of a paragraph, and the order of its letters on a line (Unicode Standard Annex
// #9). Pure. The package bidi-js implements the algorithm.
import { isRightToLeft, lettersOf } from '../../../core/unstable.ts';
import type { Run } from './fonts.ts';
import type { Bidi } from './script-packages.ts';

/** Invisible characters that change the order of a text. They are no longer needed when the order is known. */
export const isOrderMark = (character: string): boolean =>
  /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(character);

/** The embedding level of each UTF-16 unit; odd levels read from right to left. */
export type Levels = ArrayLike<number>;

/** The levels of a paragraph. Undefined if the whole paragraph reads from left to right. */
export function levelsOf(text: string, isRtl: boolean, bidi: Bidi | undefined): Levels | undefined {
  if (bidi === undefined || (!isRtl && !isRightToLeft(text))) return undefined;
  return bidi.getEmbeddingLevels(text, isRtl ? 'rtl' : 'ltr').levels;
}

/** Mirrors the brackets of a text that is painted from right to left. */
const mirrored = (text: string, bidi: Bidi): string =>
  Array.from(text, (character) => bidi.getMirroredCharacter(character) ?? character).join('');

/** Whether pdfkit paints the text from right to left. It looks only at the first letter that belongs to a script. */
export function isPaintedRightToLeft(text: string): boolean {
  const [first] = /[^\p{Script=Common}\p{Script=Inherited}]/u.exec(text) ?? [];
  return first !== undefined && isRightToLeft(first);
}

/** The text to give to pdfkit, so that it appears in the direction of the run. */
export function paintedText({ text, isRtl = false }: Pick<Run, 'text' | 'isRtl'>, bidi: Bidi): string {
  const shown = isRtl ? mirrored(text, bidi) : text;
  return isPaintedRightToLeft(text) === isRtl ? shown : lettersOf(shown).reverse().join('');
}

interface Ordered {
  readonly level: number;
}

/** Orders the parts of a line from left to right (rule L2). */
function leftToRight<Part extends Ordered>(parts: readonly Part[]): Part[] {
  const ordered = [...parts];
  for (let level = Math.max(0, ...parts.map((part) => part.level)); level > 0; level -= 1)
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while ((ordered[to]?.level ?? 0) >= level) to += 1;
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  return ordered;
}

/**
 * Cuts the parts of a line where the direction changes, and orders them from left to right.
 * @param parts in reading order; `start` is the position of their text in the paragraph
 */
export function visualOrder<Part extends Run & { readonly start: number }>(
  parts: readonly Part[],
  levels: Levels,
): readonly Part[] {
  const cut: (Part & Ordered)[] = [];
  for (const part of parts) {
    let from = 0;
    for (let at = 1; at <= part.text.length; at += 1) {
      const level = levels[part.start + from] ?? 0;
      if (at < part.text.length && levels[part.start + at] === level) continue;
      const piece = {
        ...part,
        text: part.text.slice(from, at),
        start: part.start + from,
        isRtl: level % 2 === 1,
        level,
      };
      cut.push(piece);
      from = at;
    }
  }
  return leftToRight(cut);
}
