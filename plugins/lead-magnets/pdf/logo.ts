// The logo of a cover as a picture that a PDF can hold.
import type { Book } from './book.ts';
import { loadSharp } from './packages.ts';

/** Without sharp, pictures up to this size are taken as they are. */
const plainBytes = 500_000;
/** In pixels: three times what the cover shows, for print. */
const box = { width: 900, height: 330 } as const;

/** Undefined where there is none, and where it cannot be read: then the cover has the name. */
export async function logoFor({ logo }: Book): Promise<Uint8Array | undefined> {
  if (logo === undefined) return undefined;
  const sharp = await loadSharp();
  if (sharp === undefined) {
    const isPlain = logo.contentType === 'image/png' || logo.contentType === 'image/jpeg';
    return isPlain && logo.bytes.length <= plainBytes ? logo.bytes : undefined;
  }
  try {
    const picture = sharp(logo.bytes, { limitInputPixels: 50_000_000 }).rotate();
    return await picture
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer();
  } catch {
    return undefined;
  }
}
