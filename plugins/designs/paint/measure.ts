// Measures the width of words with the fonts that draw them: draws each word between two bars, and measures the distance between the
// bars. Called before texts are laid out or drawn, outside of any transaction.
import { isPostriderError } from '../../../core/index.ts';
import { lettersOf, type PictureLimits, tokensOf } from '../../../core/unstable.ts';
import { withPictures } from '../picture-process.ts';
import type { Font } from '../schema.ts';
import { type Ruler, type Rulers, rulerOf } from './metrics.ts';
import { escaped, familyOf } from './svg.ts';

/** A text to measure, in one font. */
export interface MeasuredText {
  readonly text: string;
  readonly font: Font;
  readonly weight: number;
}

/** The size of the letters that are measured, in pixels. */
const size = 48;
const rowHeight = 96;
const rowWidth = 3_000;
/** The maximum number of words of one call. The width of other words is the sum of their letters. */
const maxWords = 1_000;
/** Words with more letters are not measured whole. */
const longestWord = 30;
const maxRows = 60;
/** The maximum number of widths that are cached. */
const maxKnown = 50_000;
/** Extra room, because a drawing rounds letters to pixels. */
const spare = 1.005;

/** The widths of words by font, as multiples of the letter size. Cached, because the fonts of a running process do not change. */
const widthCache = new Map<string, number>();
const fontKey = (font: Font, weight: number): string => `${familyOf(font)} ${weight} `;

/** Letters come first, then words, because letters give the width of words that are not measured. */
function wordsIn(text: string): readonly string[] {
  const words = Array.from(tokensOf(text), (token) => token.text).filter((word) => word.trim() !== '');
  const short = words.filter((word) => lettersOf(word).length <= longestWord);
  return [...new Set([' ', '…', ...lettersOf(text).filter((letter) => letter.trim() !== ''), ...short])];
}

interface Cell {
  readonly word: string;
  readonly x: number;
  readonly row: number;
  readonly width: number;
}

/** Places the words in rows, each in a cell that is wider than the estimate of its width. */
function cellsOf(words: readonly string[], ruler: Ruler): readonly Cell[] {
  const cells: Cell[] = [];
  let [x, row] = [0, 0];
  for (const word of words) {
    const width = Math.min(rowWidth, Math.ceil((ruler.widthOf(word) * 1.8 + 2.5) * size));
    if (x + width > rowWidth) [x, row] = [0, row + 1];
    cells.push({ word, x, row, width });
    x += width;
  }
  return cells;
}

/** The distance between the outermost dark columns of a cell, in pixels. */
function inkWidth(grey: Uint8Array, { x, row, width }: Cell): number {
  const isDark = (column: number): boolean => {
    for (let y = row * rowHeight; y < (row + 1) * rowHeight; y += 1)
      if ((grey[y * rowWidth + column] ?? 255) < 128) return true;
    return false;
  };
  let [first, last] = [x, x + width - 1];
  while (first < last && !isDark(first)) first += 1;
  while (last > first && !isDark(last)) last -= 1;
  return last - first;
}

/** @throws composition_renderer_missing, composition_busy */
async function measureWords(
  words: readonly string[],
  font: Font,
  weight: number,
  caller: PictureLimits,
): Promise<void> {
  const cells = cellsOf(['', ...words], rulerOf(font, weight)).filter(({ row }) => row < maxRows);
  const height = (Math.max(...cells.map(({ row }) => row)) + 1) * rowHeight;
  const texts = cells.map(
    ({ word, x, row }) =>
      `<text x="${x + size / 2}" y="${row * rowHeight + 64}" xml:space="preserve">|${escaped(word)}|</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${rowWidth}" height="${height}"><rect width="100%" height="100%" fill="#ffffff"/><g font-family="${familyOf(font)}" font-size="${size}" font-weight="${weight}">${texts.join('')}</g></svg>`;
  const work = { maxPixels: rowWidth * height, isOwn: true, colours: 'grey', format: { kind: 'raw' } } as const;
  const { bytes: grey } = await withPictures((worker) => worker.draw(Buffer.from(svg), work, caller));
  const [empty, ...measured] = cells;
  const barWidth = empty === undefined ? 0 : inkWidth(grey, empty);
  if (widthCache.size + measured.length > maxKnown) widthCache.clear();
  for (const cell of measured) {
    const width = Math.max(0, inkWidth(grey, cell) - barWidth) / size;
    // A word that fills its cell may be wider than the cell, so its width is not known.
    if (width * size < cell.width - 2.2 * size) widthCache.set(fontKey(font, weight) + cell.word, width);
  }
}

const measuredRuler = (font: Font, weight: number): Ruler => {
  const estimate = rulerOf(font, weight);
  const key = fontKey(font, weight);
  const wordWidth = (word: string): number =>
    widthCache.get(key + word) ??
    lettersOf(word).reduce((sum, letter) => sum + (widthCache.get(key + letter) ?? estimate.widthOf(letter)), 0);
  return {
    widthOf(text) {
      let sum = 0;
      for (const { text: word } of tokensOf(text)) sum += wordWidth(word);
      return sum * spare;
    },
  };
};

/**
 * Measures texts with the fonts of the machine.
 * @throws composition_renderer_missing, composition_busy
 */
export async function measuredRulers(texts: readonly MeasuredText[], caller: PictureLimits): Promise<Rulers> {
  const byFont = new Map<string, { readonly font: Font; readonly weight: number; readonly words: Set<string> }>();
  for (const { text, font, weight } of texts) {
    const key = fontKey(font, weight);
    const entry = byFont.get(key) ?? { font, weight, words: new Set<string>() };
    byFont.set(key, entry);
    for (const word of wordsIn(text)) if (!widthCache.has(key + word)) entry.words.add(word);
  }
  for (const { font, weight, words } of byFont.values())
    if (words.size > 0) await measureWords([...words].slice(0, maxWords), font, weight, caller);
  return measuredRuler;
}

/** Measures texts if the machine can draw; otherwise estimates their widths. */
export async function measuredOrEstimated(texts: readonly MeasuredText[], caller: PictureLimits): Promise<Rulers> {
  try {
    return await measuredRulers(texts, caller);
  } catch (error) {
    if (isPostriderError(error)) return rulerOf;
    throw error;
  }
}
