// Composes the picture of a code: background, frame, finder patterns, modules, logo. Pure; called by render.ts and
// readability.ts.
import type { QrFrame, QrStyle } from '../schema.ts';
import type { Drawing, Paint, Pixels, Shape } from './drawing.ts';
import { layFrame } from './frames.ts';
import { isFinder, type Matrix } from './matrix.ts';
import { paintFinders, paintModules } from './modules.ts';
import { Outline, type OutlineStep } from './outline.ts';

/** The side of the square for the logo, as a share of the code's side. */
const logoShare = 0.22;

/** The modules that a logo covers, from `first` up to but not including `end`, in rows and columns. */
export function logoArea(size: number): { readonly first: number; readonly end: number } {
  // The side of a code is an odd number of modules, so only an odd number of modules can be centred in it.
  const side = 2 * Math.round((size * logoShare - 1) / 2) + 1;
  const first = (size - side) / 2;
  return { first, end: first + side };
}

/** The share of the modules outside of the finder patterns that a logo hides, 0 to 1. */
export function hiddenShare(size: number): number {
  const { first, end } = logoArea(size);
  let data = 0;
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1) if (!isFinder(size, row, column)) data += 1;
  return (end - first) ** 2 / data;
}

/** A linear gradient over a square. `angle`: its direction in degrees, 0 from left to right, 90 from top to bottom. */
function gradientPaint(side: number, { from, to, angle }: { from: string; to: string; angle: number }): Paint {
  const turn = (angle * Math.PI) / 180;
  const [x, y] = [Math.cos(turn), Math.sin(turn)];
  const halfLength = ((Math.abs(x) + Math.abs(y)) * side) / 2;
  const middle = side / 2;
  return {
    from,
    to,
    start: [middle - x * halfLength, middle - y * halfLength],
    end: [middle + x * halfLength, middle + y * halfLength],
  };
}

function movedOutline(outline: Outline, dx: number, dy: number): Outline {
  const result = new Outline();
  for (const [kind, ...numbers] of outline.steps)
    result.steps.push([
      kind,
      ...numbers.map((value, index) => value + (index % 2 === 0 ? dx : dy)),
    ] as unknown as OutlineStep);
  return result;
}

const movedPaint = (paint: Paint, dx: number, dy: number): Paint =>
  typeof paint === 'string'
    ? paint
    : {
        ...paint,
        start: [paint.start[0] + dx, paint.start[1] + dy],
        end: [paint.end[0] + dx, paint.end[1] + dy],
      };

/** Composes the picture of a code. */
export function composeDrawing(matrix: Matrix, style: QrStyle, frame: QrFrame, logo: Pixels | undefined): Drawing {
  const { size } = matrix;
  const layout = layFrame(frame, size + 2 * style.margin, style.background, style.foreground);
  const [x, y] = [layout.x + style.margin, layout.y + style.margin];
  const { first, end } = logoArea(size);
  const isUnderLogo = (at: number): boolean => at >= first && at < end;
  const isHidden = (row: number, column: number): boolean =>
    logo !== undefined && isUnderLogo(row) && isUnderLogo(column);
  const body = style.gradient === null ? style.foreground : gradientPaint(size, style.gradient);
  const shapes: Shape[] = [
    ...layout.shapes,
    {
      kind: 'fill',
      outline: movedOutline(paintModules(matrix, style.dots, isHidden), x, y),
      paint: movedPaint(body, x, y),
    },
    {
      kind: 'fill',
      outline: movedOutline(paintFinders(size, style.corners), x, y),
      paint: movedPaint(style.eyes ?? body, x, y),
      holes: true,
    },
  ];
  const drawing = { width: layout.width, height: layout.height, ground: style.background, shapes };
  if (logo === undefined) return drawing;
  // Half a module of background stays between the logo and the modules around it.
  const logoSide = end - first - 1;
  const scale = logoSide / Math.max(logo.width, logo.height);
  const [width, height] = [logo.width * scale, logo.height * scale];
  const [cx, cy] = [x + size / 2, y + size / 2];
  return { ...drawing, image: { x: cx - width / 2, y: cy - height / 2, width, height, pixels: logo } };
}
