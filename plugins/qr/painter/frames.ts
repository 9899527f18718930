// Lays out the frame around a code: the place of the code in the picture, and the shapes under and around it. Pure; called by
// compose.ts.
import type { Frame } from '../schema.ts';
import { inkOn } from './colours.ts';
import type { Shape } from './drawing.ts';
import { letter, lineWidth, textWidth } from './lettering.ts';
import { allRadii, Outline } from './outline.ts';

/** A frame around a tile. The tile is the code with its margin. */
export interface Framed {
  readonly width: number;
  readonly height: number;
  /** The upper left corner of the tile. */
  readonly x: number;
  readonly y: number;
  /** Painted before the code. */
  readonly shapes: readonly Shape[];
}

/** Sizes as shares of the tile's side. */
const around = 0.03;
const thickness = 0.04;
const banner = 0.2;
const gap = 0.06;

const box = (x: number, y: number, width: number, height: number, radius: number, paint: string): Shape => ({
  kind: 'fill',
  outline: new Outline().roundedRect(x, y, width, height, allRadii(radius)),
  paint,
});

/** The text in the middle of a box, as large as fits. */
function caption(
  text: string,
  middle: readonly [number, number],
  room: readonly [number, number],
  colour: string,
): Shape {
  const height = Math.min(room[1] * 0.46, (room[0] * 0.88) / Math.max(textWidth(text), 0.5));
  const outline = letter(text, middle[0], middle[1] + height / 2, height);
  return { kind: 'line', outline, colour, width: height * lineWidth };
}

/** Lays the frame around a tile of this side. */
export function layFrame(frame: Frame, side: number, background: string, foreground: string): Framed {
  if (frame.kind === 'none') return { width: side, height: side, x: 0, y: 0, shapes: [] };
  const colour = frame.colour ?? foreground;
  const [out, edge, radius] = [side * around, side * thickness, side * 0.06];
  const inner = side + 2 * edge;
  const width = inner + 2 * out;
  const tile = (x: number, y: number): Shape => box(x, y, side, side, radius - edge / 2, background);
  const text = frame.text ?? '';
  const ink = inkOn(colour);
  if (frame.kind === 'border') {
    const at = out + edge;
    return { width, height: width, x: at, y: at, shapes: [box(out, out, inner, inner, radius, colour), tile(at, at)] };
  }
  const strip = side * banner;
  if (frame.kind === 'bubble') {
    const space = side * gap;
    const top = out + inner + space;
    const pointer = new Outline()
      .move(width / 2 - space * 1.1, top + 0.01)
      .line(width / 2, top - space * 0.8)
      .line(width / 2 + space * 1.1, top + 0.01)
      .close();
    const at = out + edge;
    return {
      width,
      height: top + strip + out,
      x: at,
      y: at,
      shapes: [
        box(out, out, inner, inner, radius, colour),
        tile(at, at),
        { kind: 'fill', outline: pointer, paint: colour },
        box(out, top, inner, strip, radius, colour),
        caption(text, [width / 2, top + strip / 2], [inner, strip], ink),
      ],
    };
  }
  const isTop = frame.kind === 'banner-top';
  const y = out + (isTop ? strip : edge);
  const middle = isTop ? out + strip / 2 : out + edge + side + strip / 2;
  return {
    width,
    height: out + edge + side + strip + out,
    x: out + edge,
    y,
    shapes: [
      box(out, out, inner, edge + side + strip, radius, colour),
      tile(out + edge, y),
      caption(text, [width / 2, middle], [inner, strip], ink),
    ],
  };
}
