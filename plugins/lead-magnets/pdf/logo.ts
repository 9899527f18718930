// The logo of a cover as a picture that a PDF can contain. It is decoded in a separate process (core/pictures), because
// it is untrusted input.
import { PictureError, pictures } from '../../../core/unstable.ts';
import { busy } from '../errors.ts';
import type { Book, BookLogo } from './book.ts';

/**
 * Without sharp, only pictures up to this size are used, unchanged, because pdfkit decodes a PNG in the main thread.
 */
const plainBytes = 500_000;
const plainPixels = 1_000_000;
/** In pixels: three times the size on the cover, for print. */
const box = { width: 900, height: 330 } as const;
const maxPixels = 50_000_000;

/** Whether pdfkit can use the picture unchanged. It copies a JPEG without decoding it. */
function isPlain({ bytes, contentType }: BookLogo): boolean {
  if (bytes.length > plainBytes) return false;
  if (contentType === 'image/jpeg') return true;
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return contentType === 'image/png' && bytes.length > 24 && head.getUint32(16) * head.getUint32(20) <= plainPixels;
}

/**
 * Undefined if there is no logo, or if it cannot be read; the cover then shows the name.
 * @throws lead_magnet_export_busy
 */
export async function logoFor({ logo }: Book): Promise<Uint8Array | undefined> {
  if (logo === undefined) return undefined;
  const size = { ...box, fit: 'inside', withoutEnlargement: true } as const;
  try {
    const work = { maxPixels, isUpright: true, size, format: { kind: 'png' } } as const;
    return (await pictures().draw(logo.bytes, work)).bytes;
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    if (error.fault === 'busy') throw busy();
    const isWithout = error.fault === 'package_missing' || error.fault === 'program_missing';
    return isWithout && isPlain(logo) ? logo.bytes : undefined;
  }
}
