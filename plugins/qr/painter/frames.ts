// Lays out the frame around a code: the position of the code in the picture, and the shapes under and around it. Pure;
// called by compose.ts.
import type { QrFrame } from '../schema.ts';
import { inkOn } from './colours.ts';
import type { Shape } from './drawing.ts';
import { drawLetters, lineWidth, textWidth } from './lettering.ts';
import { allRadii, Outline } from './outline.ts';

/** The layout of a frame around a tile. The tile is the code with its margin. */
export interface FrameLayout {
  readonly width: number;
  readonly height: number;
  /** The upper left corner of the tile. */
  readonly x: number;
  readonly y: number;
  /** Painted before the code. */
  readonly shapes: readonly Shape[];
}

// Sizes as shares of the tile's side.
const outerMargin = 0.03;
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
  const outline = drawLetters(text, middle[0], middle[1] + height / 2, height);
  return { kind: 'line', outline, colour, width: height * lineWidth };
}

/** Lays the frame around a tile of this side. */
export function layFrame(frame: QrFrame, side: number, background: string, foreground: string): FrameLayout {
  if (frame.kind === 'none') return { width: side, height: side, x: 0, y: 0, shapes: [] };
  const colour = frame.colour ?? foreground;
  const [margin, edge, radius] = [side * outerMargin, side * thickness, side * 0.06];
  const innerSide = side + 2 * edge;
  const width = innerSide + 2 * margin;
  const tile = (x: number, y: number): Shape => box(x, y, side, side, radius - edge / 2, background);
  const text = frame.text ?? '';
  const ink = inkOn(colour);
  if (frame.kind === 'border') {
    const at = margin + edge;
    return {
      width,
      height: width,
      x: at,
      y: at,
      shapes: [box(margin, margin, innerSide, innerSide, radius, colour), tile(at, at)],
    };
  }
  const strip = side * banner;
  if (frame.kind === 'bubble') {
    const space = side * gap;
    const top = margin + innerSide + space;
    const pointer = new Outline()
      .move(width / 2 - space * 1.1, top + 0.01)
      .line(width / 2, top - space * 0.8)
      .line(width / 2 + space * 1.1, top + 0.01)
      .close();
    const at = margin + edge;
    return {
      width,
      height: top + strip + margin,
      x: at,
      y: at,
      shapes: [
        box(margin, margin, innerSide, innerSide, radius, colour),
        tile(at, at),
        { kind: 'fill', outline: pointer, paint: colour },
        box(margin, top, innerSide, strip, radius, colour),
        caption(text, [width / 2, top + strip / 2], [innerSide, strip], ink),
      ],
    };
  }
  const isTop = frame.kind === 'banner-top';
  const y = margin + (isTop ? strip : edge);
  const middle = isTop ? margin + strip / 2 : margin + edge + side + strip / 2;
  return {
    width,
    height: margin + edge + side + strip + margin,
    x: margin + edge,
    y,
    shapes: [
      box(margin, margin, innerSide, edge + side + strip, radius, colour),
      tile(margin + edge, y),
      caption(text, [width / 2, middle], [innerSide, strip], ink),
    ],
  };
}
