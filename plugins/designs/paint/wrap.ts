// Breaks a text into the lines of its box. Pure, and linear in the length of the text.
import { lettersOf } from '../../../core/unstable.ts';
import type { Font } from '../schema.ts';
import { isWide, type Ruler, rulerOf } from './metrics.ts';

/** The height of a line, in parts of the size of the letters. */
export const lineHeight = 1.2;
/** Where the letters of a line stand, from its upper edge. */
export const baseline = 0.94;

const ellipsis = '…';

/** What a text looks like. */
export interface TextLook {
  readonly font: Font;
  readonly size: number;
  readonly weight: number;
}

/** Pieces that stay together, each with the space before it: a word, or one letter of a script without spaces. */
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

/** A piece in parts that each fit the width. */
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

/** All lines; widths in parts of the size. A line that the text breaks itself stays broken. */
function linesOf(text: string, ruler: Ruler, width: number): string[] {
  const lines: string[] = [];
  const spaceWidth = ruler.widthOf(' ');
  for (const given of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    let line: string[] = [];
    let used = 0;
    const end = () => {
      lines.push(line.join(''));
      line = [];
      used = 0;
    };
    for (const { text: piece, space } of piecesOf(given)) {
      const own = ruler.widthOf(piece);
      const gap = space && line.length > 0 ? spaceWidth : 0;
      if (line.length > 0 && used + gap + own <= width) {
        line.push(gap > 0 ? ' ' : '', piece);
        used += gap + own;
        continue;
      }
      if (line.length > 0) end();
      const parts = own > width ? broken(piece, ruler, width) : [piece];
      for (const part of parts.slice(0, -1)) lines.push(part);
      const last = parts.at(-1) ?? '';
      line = [last];
      used = ruler.widthOf(last);
    }
    end();
  }
  return lines;
}

/** A line that ends with an ellipsis and fits. */
function shortened(line: string, ruler: Ruler, width: number): string {
  const letters = lettersOf(line);
  let used = ruler.widthOf(line) + ruler.widthOf(ellipsis);
  while (letters.length > 0 && used > width) used -= ruler.widthOf(letters.pop() ?? '');
  return `${letters.join('').trimEnd()}${ellipsis}`;
}

/** The lines of a text in a box. Those that do not fit its height are left out; the first one always stands. */
export function wrap(text: string, { font, size, weight }: TextLook, width: number, height: number): string[] {
  const ruler = rulerOf(font, weight);
  const room = width / size;
  const lines = linesOf(text, ruler, room);
  // A hundredth of a line is no reason to leave it out.
  const most = Math.max(1, Math.floor(height / (size * lineHeight) + 0.01));
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), shortened(lines[most - 1] ?? '', ruler, room)];
}

/** How many lines the text has at this width, however high they are. */
export const linesAt = (text: string, { font, size, weight }: TextLook, width: number): string[] =>
  linesOf(text, rulerOf(font, weight), width / size);
