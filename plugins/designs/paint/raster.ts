// Pixels from SVG, with the package `sharp`. It gets only pictures that svg.ts wrote.
import { isPostriderError } from '../../../core/index.ts';
import { busy } from '../errors.ts';
import { openPicture } from '../packages.ts';
import type { Format } from '../schema.ts';
import { maxSide } from '../schema.ts';

export const contentTypes = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpeg: 'image/jpeg',
} as const satisfies Record<Format, string>;

/** From so many pixels on a picture is drawn alone: it takes hundreds of megabytes. */
const largePixels = 16_000_000;

/** The end of the line of large pictures. */
let line: Promise<unknown> = Promise.resolve();

/** Runs `work` after all large pictures that came before it. */
async function alone<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const before = line;
  const mine = before.then(() => {
    signal?.throwIfAborted();
    return work();
  });
  line = mine.then(undefined, () => undefined);
  return mine;
}

/** @throws composition_busy where it takes too long */
async function encoded(svg: string, format: Exclude<Format, 'svg'>): Promise<Buffer> {
  // The parser's limit on long texts is lifted: pictures stand in the source as texts.
  const picture = await openPicture(Buffer.from(svg), { unlimited: true, limitInputPixels: maxSide * maxSide });
  try {
    if (format === 'png') return await picture.png({ compressionLevel: 6 }).toBuffer();
    if (format === 'webp') return await picture.webp({ quality: 90, effort: 4 }).toBuffer();
    return await picture
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
      .toBuffer();
  } catch (error) {
    if (!isPostriderError(error) && /timeout/i.test(String(error))) throw busy();
    throw error;
  }
}

/** The bytes of a picture of `pixels` pixels. @throws composition_renderer_missing, composition_busy */
export function rasterOf(
  svg: string,
  format: Exclude<Format, 'svg'>,
  pixels: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const work = () => encoded(svg, format);
  return pixels >= largePixels ? alone(work, signal) : work();
}
