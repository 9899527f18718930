// Creates the modules of a code (ISO/IEC 18004) with the package `qrcode`, which is loaded at the first use.
import type { QRCodeSegment } from 'qrcode';
import { loadPackage } from '../packages.ts';
import type { ErrorCorrection } from '../schema.ts';

/** The maximum number of bytes of a code of version 40, by the level of error correction (ISO/IEC 18004, table 7). */
const capacity: Readonly<Record<ErrorCorrection, number>> = { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 };

/** The share of a code that may be unreadable, by the level of error correction. */
export const recovery: Readonly<Record<ErrorCorrection, number>> = { L: 0.07, M: 0.15, Q: 0.25, H: 0.3 };

/** The modules of a code. */
export interface Matrix {
  /** The number of modules per side, without the margin. */
  readonly size: number;
  isDark(row: number, column: number): boolean;
}

/** The side of a finder pattern, in modules. */
export const finderSize = 7;

/** Whether the module belongs to one of the three finder patterns, which are painted separately. */
export function isFinder(size: number, row: number, column: number): boolean {
  const far = size - finderSize;
  return (row < finderSize && (column < finderSize || column >= far)) || (row >= far && column < finderSize);
}

/** Whether the text is ASCII. Any other character has more UTF-8 bytes than UTF-16 units. */
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** The bytes of the UTF-8 marker: half a byte for the mode and one for the encoding number, rounded up. */
const encodingBytes = 2;

/** Whether a code of version 40 has room for the text. */
export const fitsInCode = (text: string, level: ErrorCorrection): boolean =>
  Buffer.byteLength(text) + (isAscii(text) ? 0 : encodingBytes) <= capacity[level];

/** The encoding number of UTF-8 (AIM ECI, assignment 26). */
const utf8 = 26;

/**
 * Marks the following data as UTF-8 (extended channel interpretation, ISO/IEC 18004, section 7.4.2). Without it, readers guess the
 * encoding and may read `é` as a Chinese character. A segment of the package: the mode, the encoding number in place of a length, no data.
 */
const encodingSegment = {
  mode: { id: 'ECI', bit: 7, ccBits: [8, 8, 8] },
  getLength: () => utf8,
  getBitsLength: () => 0,
  write: () => undefined,
};

/**
 * Finished segments in the type that the package accepts. The package only builds segments from texts, and does not
 * support encodings.
 */
const asSegments = (segments: readonly unknown[]): QRCodeSegment[] =>
  Object.assign([], { reduce: () => [...segments] });

/** The smallest code that contains this text. The text must fit; see `fitsInCode`. */
export async function createMatrix(text: string, errorCorrectionLevel: ErrorCorrection): Promise<Matrix> {
  const { default: qrcode } = await loadPackage('qrcode', () => import('qrcode'));
  const unmarked = qrcode.create(text, { errorCorrectionLevel });
  const marked = () => qrcode.create(asSegments([encodingSegment, ...unmarked.segments]), { errorCorrectionLevel });
  const { modules } = isAscii(text) ? unmarked : marked();
  const { size, data } = modules;
  return {
    size,
    isDark: (row, column) => row >= 0 && column >= 0 && row < size && column < size && data[row * size + column] === 1,
  };
}
