// Converts SVG to PNG and WebP, and pictures to grey pixels for the decoder. All pictures come from this plugin.
import type { PictureLimits, PictureWork } from '../../../core/unstable.ts';
import type { GreyPicture } from '../decode/protocol.ts';
import { withPictures } from '../packages.ts';

/** The limit of processor time, in seconds. */
const seconds = 20;
/** The maximum number of pixels of a picture. The largest picture that this plugin makes is a tall print. */
const maxPixels = 16_000_000;

function drawPicture(picture: Uint8Array | string, work: Omit<PictureWork, 'maxPixels'>, caller: PictureLimits) {
  const bytes = typeof picture === 'string' ? Buffer.from(picture) : picture;
  return withPictures((desk) => desk.draw(bytes, { maxPixels, ...work }, { ...caller, seconds }));
}

/** Converts an SVG to PNG. With `dpi`, a pHYs chunk states the print resolution. */
export async function pngOf(svg: string, caller: PictureLimits, dpi?: number): Promise<Buffer> {
  const format = { kind: 'png', compressionLevel: 6, ...(dpi === undefined ? {} : { density: dpi }) } as const;
  return (await drawPicture(svg, { alpha: 'remove', format }, caller)).bytes;
}

/** Converts an SVG to lossless WebP. */
export const webpOf = async (svg: string, caller: PictureLimits): Promise<Buffer> =>
  (await drawPicture(svg, { alpha: 'remove', format: { kind: 'webp', lossless: true, effort: 4 } }, caller)).bytes;

/** The grey pixels of an SVG, PNG or WebP picture, scaled to this width, as a camera would see it. */
export async function greyPixelsAt(
  picture: Uint8Array | string,
  width: number,
  caller: PictureLimits = {},
): Promise<GreyPicture> {
  const work = {
    alpha: 'white',
    size: { width: Math.round(width), kernel: 'cubic' },
    colours: 'grey',
    format: { kind: 'raw' },
  } as const;
  const { bytes, ...size } = await drawPicture(picture, work, caller);
  return { width: size.width, height: size.height, grey: new Uint8Array(bytes) };
}

/**
 * A smaller picture: each pixel is the mean of the pixels that it covers. It is computed here, because a call of sharp
 * takes longer.
 */
export function scaledDown({ width, height, grey }: GreyPicture, newWidth: number): GreyPicture {
  const columns = Math.max(1, Math.round(newWidth));
  const rows = Math.max(1, Math.round((height * columns) / width));
  const small = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    const [top, bottom] = [Math.floor((row * height) / rows), Math.ceil(((row + 1) * height) / rows)];
    for (let column = 0; column < columns; column += 1) {
      const [left, right] = [Math.floor((column * width) / columns), Math.ceil(((column + 1) * width) / columns)];
      let sum = 0;
      for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) sum += grey[y * width + x] ?? 255;
      small[row * columns + column] = Math.round(sum / ((bottom - top) * (right - left)));
    }
  }
  return { width: columns, height: rows, grey: small };
}
