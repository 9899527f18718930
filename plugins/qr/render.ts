// Renders a code in one format, and decodes the result before the caller gets it. Called outside of any transaction.
import type { PictureLimits } from '../../core/unstable.ts';
import type { Decoder } from './decode/decoder.ts';
import { unreadable } from './errors.ts';
import { composeDrawing } from './painter/compose.ts';
import type { Drawing, Pixels } from './painter/drawing.ts';
import { createMatrix } from './painter/matrix.ts';
import { pageSize, printWidth, writePdf } from './painter/pdf.ts';
import { greyPixelsAt, pngOf, scaledDown, webpOf } from './painter/raster.ts';
import { heightOf, writeSvg } from './painter/svg.ts';
import { checkLogo, checkReadable } from './readability.ts';
import type { QrFormat, QrFrame, QrStyle } from './schema.ts';

/** The input of a render. */
export interface RenderSource {
  readonly text: string;
  readonly style: QrStyle;
  readonly frame: QrFrame;
  readonly logo: Pixels | undefined;
}

/** A rendered code. */
export interface RenderedQr {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** In pixels; for a PDF, the page size in points, with bleed and marks. */
  readonly width: number;
  readonly height: number;
}

/** The width of screen formats in px. */
const screenWidth = 1_024;
const printDpi = 300;
const printPixels = Math.round((printWidth / 25.4) * printDpi);
/**
 * Pixels per module in the two pictures that the decoder must read: as seen from near, and as seen from a comfortable
 * scanning distance.
 */
const nearModule = 8;
const farModule = 3.2;

export const contentTypes = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  'png-print': 'image/png',
  pdf: 'application/pdf',
} as const satisfies Record<QrFormat, string>;

const nearWidth = (drawing: Drawing): number => Math.min(screenWidth, Math.round(nearModule * drawing.width));

async function write(
  drawing: Drawing,
  format: QrFormat,
  limits: PictureLimits,
): Promise<{ bytes: Buffer; picture: Uint8Array | string }> {
  const svg = writeSvg(drawing, format === 'png-print' ? printPixels : screenWidth);
  // For svg and pdf, a smaller SVG is decoded instead of the output, because it has the same shapes and takes less
  // time.
  const vectors = () => writeSvg(drawing, nearWidth(drawing));
  if (format === 'svg') return { bytes: Buffer.from(svg), picture: vectors() };
  if (format === 'pdf') return { bytes: await writePdf(drawing), picture: vectors() };
  const bytes =
    format === 'webp' ? await webpOf(svg, limits) : await pngOf(svg, limits, format === 'png' ? undefined : printDpi);
  return { bytes, picture: bytes };
}

function sizeOf(drawing: Drawing, format: QrFormat): { width: number; height: number } {
  if (format === 'pdf') {
    const { width, height } = pageSize(drawing);
    return { width: Math.round(width), height: Math.round(height) };
  }
  const width = format === 'png-print' ? printPixels : screenWidth;
  return { width, height: heightOf(drawing, width) };
}

const isSame = (read: Uint8Array | undefined, text: string): boolean =>
  read !== undefined && Buffer.compare(read, Buffer.from(text)) === 0;

/** Renders a code and decodes the result. @throws qr_unreadable, qr_busy, qr_renderer_missing */
export async function renderCode(
  { text, style, frame, logo }: RenderSource,
  format: QrFormat,
  decoder: Decoder,
  limits: PictureLimits = {},
): Promise<RenderedQr> {
  checkReadable(style, text);
  const matrix = await createMatrix(text, style.errorCorrection);
  if (logo !== undefined) checkLogo(matrix, style);
  const drawing = composeDrawing(matrix, style, frame, logo);
  const { bytes, picture } = await write(drawing, format, limits);
  const near = await greyPixelsAt(picture, nearWidth(drawing), limits);
  const far = scaledDown(near, farModule * drawing.width);
  for (const scannedPicture of [near, far]) {
    if (isSame(await decoder.decode(scannedPicture, limits.signal), text)) continue;
    throw unreadable(logo === undefined ? 'style' : 'logo_too_big');
  }
  return { contentType: contentTypes[format], bytes, ...sizeOf(drawing, format) };
}
