// Outlines of shapes: lines and cubic curves, in units of one module, with y downwards. svg.ts and pdf.ts write them.

/** One step of an outline: move, line, curve with two control points, close. */
export type OutlineStep =
  | readonly ['M' | 'L', number, number]
  | readonly ['C', number, number, number, number, number, number]
  | readonly ['Z'];

/** The distance of the control points of a quarter circle from its ends, in radii. */
const quarterControl = 0.5523;

/** The radii of the corners, clockwise from the upper left. */
export type Radii = readonly [number, number, number, number];

/** An outline. Each method appends steps. */
export class Outline {
  readonly steps: OutlineStep[] = [];

  move(x: number, y: number): this {
    this.steps.push(['M', x, y]);
    return this;
  }

  line(x: number, y: number): this {
    this.steps.push(['L', x, y]);
    return this;
  }

  close(): this {
    this.steps.push(['Z']);
    return this;
  }

  /** Appends a curve from the current point, `fromX fromY`, to `x y`, which rounds the corner at `cx cy`. */
  corner(fromX: number, fromY: number, cx: number, cy: number, x: number, y: number): this {
    const controlPoint = (from: number, to: number): number => from + (to - from) * quarterControl;
    this.steps.push([
      'C',
      controlPoint(fromX, cx),
      controlPoint(fromY, cy),
      controlPoint(x, cx),
      controlPoint(y, cy),
      x,
      y,
    ]);
    return this;
  }

  rect(x: number, y: number, width: number, height: number): this {
    return this.move(x, y)
      .line(x + width, y)
      .line(x + width, y + height)
      .line(x, y + height)
      .close();
  }

  roundedRect(x: number, y: number, width: number, height: number, radii: Radii): this {
    const [a, b, c, d] = radii;
    const [right, bottom] = [x + width, y + height];
    this.move(x + a, y).line(right - b, y);
    if (b > 0) this.corner(right - b, y, right, y, right, y + b);
    this.line(right, bottom - c);
    if (c > 0) this.corner(right, bottom - c, right, bottom, right - c, bottom);
    this.line(x + d, bottom);
    if (d > 0) this.corner(x + d, bottom, x, bottom, x, bottom - d);
    this.line(x, y + a);
    if (a > 0) this.corner(x, y + a, x, y, x + a, y);
    return this.close();
  }

  circle(cx: number, cy: number, r: number): this {
    return this.roundedRect(cx - r, cy - r, 2 * r, 2 * r, [r, r, r, r]);
  }

  diamond(cx: number, cy: number, half: number): this {
    return this.move(cx, cy - half)
      .line(cx + half, cy)
      .line(cx, cy + half)
      .line(cx - half, cy)
      .close();
  }
}

/** The same radius at each corner. */
export const allRadii = (radius: number): Radii => [radius, radius, radius, radius];
