// Writes a PNG with at most 256 colours, for screenshots in the documentation: a third of the size of a browser's PNG.
import { crc32, deflateSync } from 'node:zlib';

/** The most frequent colours, those of backgrounds and text, keep their exact values. */
const exact = 40;

/** Other colours are at the edges of letters. Similar colours share one entry, without their last bits. */
const coarse = 0xf8f8f8;

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(typeAndData), 4);
  return Buffer.concat([frame.subarray(0, 4), typeAndData, frame.subarray(4)]);
}

const distance = (one: number, other: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);

/** A palette of the most frequent colours, and for every colour the index of the nearest colour in this palette */
function choosePalette(colours: ReadonlyMap<number, number>): {
  palette: number[];
  indexOfNearest: ReadonlyMap<number, number>;
} {
  const byCount = [...colours].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  const palette = byCount.slice(0, exact);
  const takenColours = new Set(palette.map((colour) => colour & coarse));
  for (const colour of byCount.slice(exact)) {
    if (palette.length === 256) break;
    if (!takenColours.has(colour & coarse)) palette.push(colour);
    takenColours.add(colour & coarse);
  }
  const nearest = (colour: number): number =>
    palette.reduce(
      (best, each, index) => (distance(each, colour) < distance(palette[best] ?? 0, colour) ? index : best),
      0,
    );
  return { palette, indexOfNearest: new Map(byCount.map((colour) => [colour, nearest(colour)])) };
}

/** Encodes the pixels. @param pixels RGBA, row by row, without transparency */
export function encodePalettePng(width: number, height: number, pixels: Uint8Array): Buffer {
  const colourAt = (at: number) => ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
  const colours = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 4) colours.set(colourAt(at), (colours.get(colourAt(at)) ?? 0) + 1);
  const { palette, indexOfNearest: placeOf } = choosePalette(colours);
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = placeOf.get(colourAt((y * width + x) * 4)) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each pixel, each an index into the palette.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
