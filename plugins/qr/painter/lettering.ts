// Draws the text of a frame as lines. Called by frames.ts; schema.ts uses `missingGlyphs`.
import { accentsAbove, accentsBelow, dotless, glyphs } from './glyphs.ts';
import { Outline } from './outline.ts';

const capHeight = 14;
const smallHeight = 10;
const tall = /[A-Z0-9bdfhklÆŒØŁĐÞ]/u;
/** The space between two letters in glyph units, and the width of a line if capitals are 1 high. */
const space = 4.4;
export const lineWidth = 2.5 / capHeight;

type Point = readonly [number, number];

interface PlacedStroke {
  readonly stroke: string;
  readonly x: number;
  readonly y: number;
}

/** The characters of the text that have no glyph, each once. */
export function missingGlyphs(text: string): string[] {
  const hasGlyph = (sign: string): boolean => sign in glyphs || sign in accentsAbove || sign in accentsBelow;
  return [...new Set(text.normalize('NFC'))].filter((letter) => {
    if (letter in glyphs) return false;
    const [base = '', ...marks] = letter.normalize('NFD');
    return !(base in glyphs && marks.length > 0 && marks.every(hasGlyph));
  });
}

/** All strokes of the text in a row, and its width. */
function layOut(text: string): { readonly width: number; readonly placed: readonly PlacedStroke[] } {
  const placed: PlacedStroke[] = [];
  let x = 0;
  for (const letter of text.normalize('NFC')) {
    const composedGlyph = glyphs[letter];
    const [base = '', ...marks] = composedGlyph === undefined ? letter.normalize('NFD') : letter;
    const above = marks.some((mark) => mark in accentsAbove);
    const [width, ...strokes] = composedGlyph ?? glyphs[above ? (dotless[base] ?? base) : base] ?? [0];
    for (const stroke of strokes) placed.push({ stroke, x, y: 0 });
    const top = tall.test(base) ? capHeight : smallHeight;
    for (const mark of marks) {
      for (const stroke of accentsAbove[mark] ?? []) placed.push({ stroke, x: x + width / 2, y: top });
      for (const stroke of accentsBelow[mark] ?? []) placed.push({ stroke, x: x + width / 2, y: 0 });
    }
    x += width + space;
  }
  return { width: Math.max(0, x - space), placed };
}

/** The width of the text if capitals are 1 high. */
export const textWidth = (text: string): number => layOut(text).width / capHeight;

function readStroke(stroke: string): { radius: number; closed: boolean; points: Point[] } {
  const [, radius = '0', list = '', end = ''] = /^(?:r([\d.]+):)?([^z]*)(z?)$/.exec(stroke) ?? [];
  const points = list.split(',').map((pair): Point => {
    const [x = 0, y = 0] = pair.split(' ').map(Number);
    return [x, y];
  });
  return { radius: Number(radius), closed: end === 'z', points };
}

const distance = (a: Point, b: Point): number => Math.hypot(b[0] - a[0], b[1] - a[1]);
const towards = (from: Point, to: Point, length: number): Point => {
  const totalLength = distance(from, to) || 1;
  return [from[0] + ((to[0] - from[0]) * length) / totalLength, from[1] + ((to[1] - from[1]) * length) / totalLength];
};

/** Draws one stroke. Its inner corners are rounded as far as the adjacent lines allow. */
function drawStroke(outline: Outline, stroke: string, place: (point: Point) => Point): void {
  const { radius, closed, points } = readStroke(stroke);
  const count = points.length;
  const at = (index: number): Point => points[(index + count) % count] as Point;
  const isEnd = (index: number): boolean => !closed && (index === 0 || index === count - 1);
  const roundingAt = (index: number): number => {
    if (isEnd(index)) return 0;
    const availableLength = (other: number): number => distance(at(index), at(other)) * (isEnd(other) ? 1 : 0.5);
    return Math.min(radius, availableLength(index - 1), availableLength(index + 1));
  };
  for (let index = 0; index < count; index += 1) {
    const rounding = roundingAt(index);
    const roundingStart = place(towards(at(index), at(index - 1), rounding));
    const corner = place(at(index));
    const roundingEnd = place(towards(at(index), at(index + 1), rounding));
    if (index === 0) outline.move(...roundingStart);
    else outline.line(...roundingStart);
    if (rounding > 0) outline.corner(...roundingStart, ...corner, ...roundingEnd);
  }
  if (closed) outline.close();
}

/** The text as lines, to draw with the width `lineWidth * height`. Capitals are `height` high; the middle of the baseline is at `x y`. */
export function drawLetters(text: string, x: number, y: number, height: number): Outline {
  const { width, placed } = layOut(text);
  const scale = height / capHeight;
  const outline = new Outline();
  for (const { stroke, x: offsetX, y: offsetY } of placed)
    drawStroke(outline, stroke, ([px, py]) => [x + (offsetX + px - width / 2) * scale, y - (offsetY + py) * scale]);
  return outline;
}
