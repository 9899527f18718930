// Checks whether scanners can read a code, by its colours, its text and its logo, before a design is stored and before
// it is painted. A finished picture is also decoded (render.ts).
import { unreadable } from './errors.ts';
import { luminanceOf } from './painter/colours.ts';
import { hiddenShare } from './painter/compose.ts';
import { fitsInCode, type Matrix, recovery } from './painter/matrix.ts';
import type { QrStyle } from './schema.ts';

/**
 * The minimum difference in reflectance between dark and light modules: grade C of ISO/IEC 15415, which scanners are expected to
 * read. The luminance is used in place of the reflectance.
 */
const minContrast = 0.4;

/** @throws qr_unreadable if a colour of the modules is not dark enough for the background */
function checkColours({ foreground, background, eyes, gradient }: QrStyle): void {
  const ground = luminanceOf(background);
  const modules: [path: string, colour: string][] =
    gradient === null
      ? [['style.foreground', foreground]]
      : [
          ['style.gradient.from', gradient.from],
          ['style.gradient.to', gradient.to],
        ];
  if (eyes !== null) modules.push(['style.eyes', eyes]);
  for (const [path, colour] of modules) {
    const darker = ground - luminanceOf(colour);
    if (darker < 0 && -darker >= minContrast) throw unreadable('inverted', path);
    if (darker < minContrast) throw unreadable('contrast', path);
  }
}

/** Checks the colours of a style and the length of the text. @throws qr_unreadable */
export function checkReadable(style: QrStyle, text: string): void {
  checkColours(style);
  if (!fitsInCode(text, style.errorCorrection)) throw unreadable('too_long');
}

/**
 * Checks how much of the code the logo hides. The logo may use half of the error correction; the other half is for dirt, creases
 * and light.
 * @throws qr_unreadable
 */
export function checkLogo({ size }: Matrix, { errorCorrection }: QrStyle): void {
  if (hiddenShare(size) > recovery[errorCorrection] / 2) throw unreadable('logo_too_big');
}
