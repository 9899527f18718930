// Paints the modules and the finder patterns of a code in their styles. Pure; called by compose.ts.
import type { CornerStyle, DotStyle } from '../schema.ts';
import { finderSize, isFinder, type Matrix } from './matrix.ts';
import { allRadii, Outline } from './outline.ts';

/** Whether a module is painted: dark, outside of the finder patterns, and not under the logo. */
type IsPainted = (row: number, column: number) => boolean;

/** Paints each run of modules in a row as one rectangle, so that there are fewer shapes and no seams. */
function squares(outline: Outline, size: number, isPainted: IsPainted): void {
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!isPainted(row, column)) continue;
      const runStart = column;
      while (isPainted(row, column + 1)) column += 1;
      outline.rect(runStart, row, column + 1 - runStart, 1);
    }
  }
}

/** Paints a module that joins its neighbours. A corner is round if both modules beside it are light. */
function joinedModule(outline: Outline, row: number, column: number, isPainted: IsPainted): void {
  const above = isPainted(row - 1, column);
  const right = isPainted(row, column + 1);
  const below = isPainted(row + 1, column);
  const left = isPainted(row, column - 1);
  const round = (one: boolean, other: boolean): number => (one || other ? 0 : 0.5);
  outline.roundedRect(column, row, 1, 1, [
    round(above, left),
    round(above, right),
    round(below, right),
    round(below, left),
  ]);
}

/**
 * The outline of all dark modules, except the modules of the finder patterns and the modules for which `isHidden` returns true.
 */
export function paintModules(matrix: Matrix, dots: DotStyle, isHidden: IsPainted): Outline {
  const { size } = matrix;
  const outline = new Outline();
  const isPainted: IsPainted = (row, column) =>
    matrix.isDark(row, column) && !isFinder(size, row, column) && !isHidden(row, column);
  if (dots === 'square') {
    squares(outline, size, isPainted);
    return outline;
  }
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (!isPainted(row, column)) continue;
      if (dots === 'rounded') joinedModule(outline, row, column, isPainted);
      else if (dots === 'dots') outline.circle(column + 0.5, row + 0.5, 0.45);
      else outline.diamond(column + 0.5, row + 0.5, 0.62);
    }
  }
  return outline;
}

/** The radii of the outer edge, of the hole and of the eye. */
const finderRadii: Readonly<Record<CornerStyle, readonly [number, number, number]>> = {
  square: [0, 0, 0],
  rounded: [2, 1.2, 0.9],
  // Not fully round, because readers that scan along lines, such as zbar, do not find full circles.
  circle: [2.9, 1.9, 1.25],
};

/** The outline of the three finder patterns, with holes: fill it by the even-odd rule. */
export function paintFinders(size: number, corners: CornerStyle): Outline {
  const outline = new Outline();
  const [outer, hole, eye] = finderRadii[corners];
  const far = size - finderSize;
  for (const [x, y] of [
    [0, 0],
    [far, 0],
    [0, far],
  ] as const) {
    outline.roundedRect(x, y, 7, 7, allRadii(outer));
    outline.roundedRect(x + 1, y + 1, 5, 5, allRadii(hole));
    outline.roundedRect(x + 2, y + 2, 3, 3, allRadii(eye));
  }
  return outline;
}
