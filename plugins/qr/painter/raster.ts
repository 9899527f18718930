// Pixels from SVG, and back to grey for the decoder, with the package `sharp`, which is loaded at the first use. It gets
// only pictures that this plugin wrote, and logos that logo/ has checked.
import type { Sharp, SharpOptions } from 'sharp';
import type { GreyPicture } from '../decode/protocol.ts';
import { loadPackage } from '../packages.ts';

const seconds = 20;
/** The largest picture of ours: a tall print. */
const limitInputPixels = 16_000_000;

/** A pipeline with limits. */
export async function openPicture(bytes: Uint8Array | string, options: SharpOptions = {}): Promise<Sharp> {
  const { default: sharp } = await loadPackage('sharp', () => import('sharp'));
  const input = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  return sharp(input, { limitInputPixels, failOn: 'error', ...options }).timeout({ seconds });
}

/** PNG. With `dpi`, a pHYs chunk says how large it is in print. */
export async function pngOf(svg: string, dpi?: number): Promise<Buffer> {
  const picture = (await openPicture(svg)).removeAlpha().png({ compressionLevel: 6 });
  return (dpi === undefined ? picture : picture.withMetadata({ density: dpi })).toBuffer();
}

/** WebP without losses. */
export const webpOf = async (svg: string): Promise<Buffer> =>
  (await openPicture(svg)).removeAlpha().webp({ lossless: true, effort: 4 }).toBuffer();

/** The grey pixels of a picture in any of these formats, as a camera sees it at this width. */
export async function seenAt(bytes: Uint8Array | string, width: number): Promise<GreyPicture> {
  const picture = (await openPicture(bytes)).flatten({ background: '#ffffff' });
  return greyPixels(picture.resize({ width: Math.round(width), kernel: 'cubic' }));
}

/** A smaller picture: each pixel is the mean of those that it stands for. So few are not worth a call of sharp. */
export function smaller({ width, height, grey }: GreyPicture, to: number): GreyPicture {
  const columns = Math.max(1, Math.round(to));
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

async function greyPixels(picture: Sharp): Promise<GreyPicture> {
  const { data, info } = await picture.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, grey: new Uint8Array(data) };
}
