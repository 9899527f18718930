// Breaks a text into the lines of its box. Pure, and linear in the length of the text.
import { lettersOf, mayBreakBetween, tokensOf } from '../../../core/unstable.ts';
import type { Font } from '../schema.ts';
import { type Ruler, type Rulers, rulerOf } from './metrics.ts';

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

/** Splits a line into unbreakable pieces: words, or letters of scripts without spaces. `hasSpaceBefore`: a space precedes the piece. */
function piecesOf(line: string): { readonly text: string; readonly hasSpaceBefore: boolean }[] {
  const pieces: { text: string; hasSpaceBefore: boolean }[] = [];
  let space = false;
  for (const { text } of tokensOf(line.trim().replace(/\s+/gu, ' '))) {
    const last = pieces.at(-1);
    if (text === ' ') space = true;
    else if (last === undefined || space || mayBreakBetween(last.text, text)) {
      pieces.push({ text, hasSpaceBefore: space });
      space = false;
    } else last.text += text;
  }
  return pieces;
}

/** Splits a piece into parts that each fit the width. */
function splitPiece(piece: string, ruler: Ruler, width: number): string[] {
  const parts: string[] = [];
  let part = '';
  let usedWidth = 0;
  for (const letter of lettersOf(piece)) {
    const letterWidth = ruler.widthOf(letter);
    if (part !== '' && usedWidth + letterWidth > width) {
      parts.push(part);
      part = '';
      usedWidth = 0;
    }
    part += letter;
    usedWidth += letterWidth;
  }
  return part === '' ? parts : [...parts, part];
}

/** All lines of a text. Widths are multiples of the letter size. Line breaks of the text stay. */
function linesOf(text: string, ruler: Ruler, width: number): string[] {
  const lines: string[] = [];
  const spaceWidth = ruler.widthOf(' ');
  for (const paragraph of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    let line: string[] = [];
    let usedWidth = 0;
    const end = () => {
      lines.push(line.join(''));
      line = [];
      usedWidth = 0;
    };
    for (const { text: piece, hasSpaceBefore: space } of piecesOf(paragraph)) {
      const pieceWidth = ruler.widthOf(piece);
      const gap = space && line.length > 0 ? spaceWidth : 0;
      if (line.length > 0 && usedWidth + gap + pieceWidth <= width) {
        line.push(gap > 0 ? ' ' : '', piece);
        usedWidth += gap + pieceWidth;
        continue;
      }
      if (line.length > 0) end();
      const parts = pieceWidth > width ? splitPiece(piece, ruler, width) : [piece];
      for (const part of parts.slice(0, -1)) lines.push(part);
      const last = parts.at(-1) ?? '';
      line = [last];
      usedWidth = ruler.widthOf(last);
    }
    end();
  }
  return lines;
}

/** Shortens a line so that it fits with an ellipsis at its end. */
function shortened(line: string, ruler: Ruler, width: number): string {
  const letters = lettersOf(line);
  let usedWidth = ruler.widthOf(line) + ruler.widthOf(ellipsis);
  while (letters.length > 0 && usedWidth > width) usedWidth -= ruler.widthOf(letters.pop() ?? '');
  return `${letters.join('').replace(/[\s.,:;…。、，·–—-]+$/u, '')}${ellipsis}`;
}

/** The lines of a text in a box. Lines that do not fit its height are left out, except the first one. */
export function wrap(
  text: string,
  { font, size, weight }: TextStyle,
  width: number,
  height: number,
  rulers: Rulers = rulerOf,
): string[] {
  const ruler = rulers(font, weight);
  const room = width / size;
  const lines = linesOf(text, ruler, room);
  // A line that exceeds the box by at most a hundredth of its height still fits.
  const maxLines = Math.max(1, Math.floor(height / (size * lineHeight) + 0.01));
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines - 1), shortened(lines[maxLines - 1] ?? '', ruler, room)];
}

/** All lines of the text at this width, whatever their height. `isWhole`: no word is split. */
export function linesAt(
  text: string,
  { font, size, weight }: TextStyle,
  width: number,
  rulers: Rulers = rulerOf,
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const ruler = rulers(font, weight);
  const isWhole = piecesOf(text).every((piece) => ruler.widthOf(piece.text) <= width / size);
  return { lines: linesOf(text, ruler, width / size), isWhole };
}
