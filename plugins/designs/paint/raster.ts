// Converts SVG to PNG, WebP and JPEG. Its input is always a picture that svg.ts wrote.
import { PictureError, type PictureLimits, type PictureWork } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { withPictures } from '../picture-process.ts';
import { maxSide, type RenderFormat } from '../schema.ts';

export const contentTypes = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpeg: 'image/jpeg',
} as const satisfies Record<RenderFormat, string>;

/** Pictures with at least this many pixels are drawn one at a time, because each needs hundreds of megabytes of memory. */
const largePixels = 16_000_000;

/** Resolves when all large pictures so far are drawn. */
let queueEnd: Promise<unknown> = Promise.resolve();

/** Runs `work` after all earlier large pictures. */
async function runAlone<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const before = queueEnd;
  const ownTurn = before.then(() => {
    signal?.throwIfAborted();
    return work();
  });
  queueEnd = ownTurn.then(undefined, () => undefined);
  return ownTurn;
}

const encodings = {
  png: { kind: 'png', compressionLevel: 6 },
  webp: { kind: 'webp', quality: 90, effort: 4 },
  jpeg: { kind: 'jpeg', quality: 90, chromaSubsampling: '4:4:4' },
} as const satisfies Record<Exclude<RenderFormat, 'svg'>, PictureWork['format']>;

/** The limit of processor time in seconds. The largest picture with many layers takes a third of it. */
const seconds = 30;

async function encoded(svg: string, format: Exclude<RenderFormat, 'svg'>, caller: PictureLimits): Promise<Buffer> {
  const work: PictureWork = {
    maxPixels: maxSide * maxSide,
    isOwn: true,
    ...(format === 'jpeg' ? { alpha: 'white' } : {}),
    format: encodings[format],
  };
  try {
    const { bytes } = await withPictures((worker) => worker.draw(Buffer.from(svg), work, { ...caller, seconds }));
    return bytes;
  } catch (error) {
    if (!(error instanceof PictureError) || error.fault !== 'too_expensive') throw error;
    throw errors.composition_too_large({
      reason: 'This picture takes too much time or memory to draw. Give a smaller scale, or fewer layers.',
    });
  }
}

/** Draws a picture of `pixels` pixels. @throws composition_renderer_missing, composition_busy, composition_too_large */
export function rasterOf(
  svg: string,
  format: Exclude<RenderFormat, 'svg'>,
  pixels: number,
  caller: PictureLimits,
): Promise<Buffer> {
  const work = () => encoded(svg, format, caller);
  return pixels >= largePixels ? runAlone(work, caller.signal) : work();
}
