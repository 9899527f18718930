// The modules of a code (ISO/IEC 18004), made by the package `qrcode`, which is loaded at the first use.
import { loadPackage } from '../packages.ts';
import type { ErrorCorrection } from '../schema.ts';

/** The most bytes of a code of version 40, by the level of error correction (ISO/IEC 18004, table 7). */
export const capacity: Readonly<Record<ErrorCorrection, number>> = { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 };

/** The share of a code that may be unreadable, by the level of error correction. */
export const recovery: Readonly<Record<ErrorCorrection, number>> = { L: 0.07, M: 0.15, Q: 0.25, H: 0.3 };

/** The modules of a code. */
export interface Matrix {
  /** Modules a side, without the margin. */
  readonly size: number;
  isDark(row: number, column: number): boolean;
}

/** The side of a finder pattern, in modules. */
export const finderSize = 7;

/** Whether the module belongs to one of the three finder patterns, which are painted by themselves. */
export function isFinder(size: number, row: number, column: number): boolean {
  const far = size - finderSize;
  return (row < finderSize && (column < finderSize || column >= far)) || (row >= far && column < finderSize);
}

/** The smallest code with this text. The text must fit: `capacity`. */
export async function createMatrix(text: string, errorCorrectionLevel: ErrorCorrection): Promise<Matrix> {
  const { default: qrcode } = await loadPackage('qrcode', () => import('qrcode'));
  const { modules } = qrcode.create(text, { errorCorrectionLevel });
  const { size, data } = modules;
  return {
    size,
    isDark: (row, column) => row >= 0 && column >= 0 && row < size && column < size && data[row * size + column] === 1,
  };
}
