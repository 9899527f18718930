// Finds the letters of a text that no font of the machine has, which would be drawn as boxes. Each unknown letter is drawn once, and
// compared with the box of a character that no font can have.
import type { PictureLimits } from '../../../core/unstable.ts';
import { withPictures } from '../picture-process.ts';
import { escaped } from './svg.ts';

const cell = 48;
const perRow = 20;
/** Code points that Unicode never assigns. Some fonts draw the hexadecimal digits in the box; the second code point has six digits. */
const unassignedCodePoints = ['\ufdd0', '\u{10fffe}'];
/** The maximum number of letters whose result is cached. */
const maxKnown = 20_000;
/** Whether a font has the letter. Cached, because the fonts of a running process do not change. */
const glyphCache = new Map<string, boolean>();

/** Whether the letter draws something of its own. Marks, spaces and controls do not. */
const isDrawn = (letter: string): boolean => !/[\p{M}\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Emoji_Modifier}]/u.test(letter);

/** The size of the dark area in a cell, and the pixels of its edge. */
function edgeOf(grey: Uint8Array, width: number, left: number, top: number): string {
  const dark = (x: number, y: number): boolean => (grey[(top + y) * width + left + x] ?? 255) < 128;
  let [x0, y0, x1, y1] = [cell, cell, -1, -1];
  for (let y = 0; y < cell; y += 1)
    for (let x = 0; x < cell; x += 1)
      if (dark(x, y)) [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
  if (x1 < 0) return 'empty';
  let edge = '';
  for (let x = x0; x <= x1; x += 1) edge += `${Number(dark(x, y0))}${Number(dark(x, y1))}`;
  for (let y = y0; y <= y1; y += 1) edge += `${Number(dark(x0, y))}${Number(dark(x1, y))}`;
  return `${x1 - x0} ${y1 - y0} ${edge}`;
}

async function edgesOf(letters: readonly string[], caller: PictureLimits): Promise<string[]> {
  const rows = Math.ceil(letters.length / perRow);
  const texts = letters.map(
    (letter, index) =>
      `<text x="${(index % perRow) * cell + 8}" y="${Math.floor(index / perRow) * cell + 34}">${escaped(letter)}</text>`,
  );
  const width = perRow * cell;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${rows * cell}"><rect width="100%" height="100%" fill="#ffffff"/><g font-size="24" font-family="sans-serif">${texts.join('')}</g></svg>`;
  const work = { maxPixels: width * rows * cell, isOwn: true, colours: 'grey', format: { kind: 'raw' } } as const;
  const { bytes: grey } = await withPictures((worker) => worker.draw(Buffer.from(svg), work, caller));
  return letters.map((_, index) => edgeOf(grey, width, (index % perRow) * cell, Math.floor(index / perRow) * cell));
}

/** The letters that would be drawn as boxes, each once. @throws composition_renderer_missing, composition_busy */
export async function missingLetters(texts: readonly string[], caller: PictureLimits): Promise<string[]> {
  const letters = [...new Set(texts.join(''))].filter(isDrawn);
  const unknown = letters.filter((letter) => !glyphCache.has(letter));
  if (unknown.length > 0) {
    const edges = await edgesOf([...unassignedCodePoints, ...unknown], caller);
    const boxes = new Set(edges.slice(0, unassignedCodePoints.length));
    if (glyphCache.size + unknown.length > maxKnown) glyphCache.clear();
    for (const [index, letter] of unknown.entries())
      glyphCache.set(letter, !boxes.has(edges[index + unassignedCodePoints.length] ?? ''));
  }
  return letters.filter((letter) => glyphCache.get(letter) === false);
}
