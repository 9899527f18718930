// Breaks a text into the lines of its box. Pure, and linear in the length of the text.
import { lettersOf } from '../../../core/unstable.ts';
import type { Font } from '../schema.ts';
import { isWide, type Ruler, rulerOf } from './metrics.ts';

/** The height of a line, as a multiple of the letter size. */
export const lineHeight = 1.2;
/** The distance of the baseline from the upper edge of a line, as a multiple of the letter size. */
export const baseline = 0.94;

const ellipsis = '…';

/** The look of a text. */
export interface TextStyle {
  readonly font: Font;
  readonly size: number;
  readonly weight: number;
}

/** Splits a line into unbreakable pieces: words, or single letters of scripts without spaces. `space`: a space precedes the piece. */
function piecesOf(line: string): { readonly text: string; readonly space: boolean }[] {
  const pieces: { text: string; space: boolean }[] = [];
  for (const [index, word] of line.trim().split(/\s+/u).entries()) {
    const letters = /^[ -~]*$/.test(word) ? [] : lettersOf(word);
    if (!letters.some(isWide)) {
      pieces.push({ text: word, space: index > 0 });
      continue;
    }
    let together = '';
    let space = index > 0;
    const end = () => {
      if (together !== '') {
        pieces.push({ text: together, space });
        space = false;
      }
      together = '';
    };
    for (const letter of letters) {
      if (isWide(letter)) end();
      together += letter;
      if (isWide(letter)) end();
    }
    end();
  }
  return pieces;
}

/** Splits a piece into parts that each fit the width. */
function broken(piece: string, ruler: Ruler, width: number): string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const letter of lettersOf(piece)) {
    const more = ruler.widthOf(letter);
    if (part !== '' && used + more > width) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += letter;
    used += more;
  }
  return part === '' ? parts : [...parts, part];
}

/** All lines of a text. Widths are multiples of the letter size. Line breaks of the text stay. */
function linesOf(text: string, ruler: Ruler, width: number): string[] {
  const lines: string[] = [];
  const spaceWidth = ruler.widthOf(' ');
  for (const paragraph of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    let line: string[] = [];
    let used = 0;
    const end = () => {
      lines.push(line.join(''));
      line = [];
      used = 0;
    };
    for (const { text: piece, space } of piecesOf(paragraph)) {
      const pieceWidth = ruler.widthOf(piece);
      const gap = space && line.length > 0 ? spaceWidth : 0;
      if (line.length > 0 && used + gap + pieceWidth <= width) {
        line.push(gap > 0 ? ' ' : '', piece);
        used += gap + pieceWidth;
        continue;
      }
      if (line.length > 0) end();
      const parts = pieceWidth > width ? broken(piece, ruler, width) : [piece];
      for (const part of parts.slice(0, -1)) lines.push(part);
      const last = parts.at(-1) ?? '';
      line = [last];
      used = ruler.widthOf(last);
    }
    end();
  }
  return lines;
}

/** Shortens a line so that it fits with an ellipsis at its end. */
function shortened(line: string, ruler: Ruler, width: number): string {
  const letters = lettersOf(line);
  let used = ruler.widthOf(line) + ruler.widthOf(ellipsis);
  while (letters.length > 0 && used > width) used -= ruler.widthOf(letters.pop() ?? '');
  return `${letters.join('').trimEnd()}${ellipsis}`;
}

/** The lines of a text in a box. Lines that do not fit its height are left out, except the first one. */
export function wrap(text: string, { font, size, weight }: TextStyle, width: number, height: number): string[] {
  const ruler = rulerOf(font, weight);
  const room = width / size;
  const lines = linesOf(text, ruler, room);
  // A line that exceeds the box by at most a hundredth of its height still fits.
  const maxLines = Math.max(1, Math.floor(height / (size * lineHeight) + 0.01));
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), shortened(lines[maxLines - 1] ?? '', ruler, room)];
}

/** All lines of the text at this width, whatever their height. */
export const linesAt = (text: string, { font, size, weight }: TextStyle, width: number): string[] =>
  linesOf(text, rulerOf(font, weight), width / size);
