// The embedded composer: lays out a picture from a brief and the brand, without a model and without network access. The same input gives
// the same picture on the same fonts. Handles sides from 16 to 8,192 px and every aspect ratio, such as stories and banners. Pure.

import { readsRightToLeft } from '../../../core/unstable.ts';
import type { MeasuredText } from '../paint/measure.ts';
import { type Rulers, rulerOf } from '../paint/metrics.ts';
import { lineHeight, linesAt } from '../paint/wrap.ts';
import type { ComposedLayer, Font } from '../schema.ts';
import { contrast } from './colours.ts';
import { type DesignLayoutName, layoutFor, layouts, mirroredIn } from './layouts.ts';
import { copyOf, type PictureCopy } from './picture-copy.ts';
import { type Box, type CanvasStyle, coloursOf, rounded, shape, toInteger } from './shapes.ts';

/** The canvas and the style of a layout. */
export interface StyledCanvas {
  readonly width: number;
  readonly height: number;
  readonly style: CanvasStyle;
  /** (Default: one of the six, by the heading) */
  readonly layout?: DesignLayoutName | undefined;
  /** Measures the texts. (Default: estimates their widths) */
  readonly rulers?: Rulers | undefined;
}

/** The input of the embedded composer. */
export interface EmbeddedPictureInput extends StyledCanvas {
  readonly brief: string;
}

/** A composed picture. */
export interface ComposedPicture {
  readonly name: string;
  readonly layers: ComposedLayer[];
}

interface Lettering {
  readonly font: Font;
  readonly weight: number;
  readonly colour: string;
  readonly align: 'left' | 'center' | 'right';
}

const lettering = (text: string, box: Box, size: number, look: Lettering): ComposedLayer => ({
  kind: 'text',
  text,
  ...rounded(box),
  rotation: 0,
  opacity: 1,
  size,
  ...look,
});

const logo = (variant: 'light' | 'dark' | 'mark', box: Box): ComposedLayer => ({
  kind: 'logo',
  variant,
  ...rounded(box),
  rotation: 0,
  opacity: 1,
});

/** Finds sizes of texts with one way of measuring them. */
class Fitter {
  readonly #rulers: Rulers;

  constructor(rulers: Rulers) {
    this.#rulers = rulers;
  }

  #fits(text: string, size: number, look: Lettering, room: Box, maxLines: number, maySplit: boolean): boolean {
    const { lines, isWhole } = linesAt(text, { ...look, size }, room.width, this.#rulers);
    return (isWhole || maySplit) && lines.length <= maxLines && lines.length * size * lineHeight <= room.height;
  }

  /** The largest size within `sizes` at which the text fits; undefined if there is none. Words stay whole if they can. */
  sizeFor(
    text: string,
    look: Lettering,
    room: Box,
    sizes: readonly [number, number],
    maxLines: number,
    maySplit = false,
  ): { readonly size: number; readonly height: number } | undefined {
    let [low, high] = [Math.ceil(sizes[0]), Math.floor(Math.min(sizes[1], 2_000))];
    if (low < 1 || low > high || !this.#fits(text, low, look, room, maxLines, maySplit)) return undefined;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#fits(text, middle, look, room, maxLines, maySplit)) low = middle;
      else high = middle - 1;
    }
    const { lines } = linesAt(text, { ...look, size: low }, room.width, this.#rulers);
    return { size: low, height: lines.length * low * lineHeight };
  }
}

/** The smallest size of letters that is readable on a screen. */
const minSize = 10;
/** The ratios of the sides above which a picture counts as a banner (width to height), as tall, or as a tower (height to width). */
const bannerRatio = 2.2;
const tallRatio = 1.15;
const towerRatio = 2.2;
/** The share of a banner's height from which the letters of the line below the heading are easy to read. */
const minBannerLine = 0.11;
/** Below this shorter side, and four times this longer side, in px, a picture shows only one letter or the logo `mark`. */
const iconSide = 72;

/** The best available logo for the background. The variant `dark` is for a dark background. */
function logoFor({ logos }: CanvasStyle, ground: string): 'light' | 'dark' | 'mark' | undefined {
  const isDark = contrast(ground, '#ffffff') > 4.5;
  return (isDark ? (['dark', 'mark', 'light'] as const) : (['light', 'mark', 'dark'] as const)).find((variant) =>
    logos.includes(variant),
  );
}

/** Lays out a picture that is too small for words: the logo `mark` of the brand, or its first letter. */
function icon({ width, height, style }: StyledCanvas, copy: PictureCopy): ComposedLayer[] {
  const { ground, ink, mark } = coloursOf(style);
  const side = Math.min(width, height);
  const layers = [shape('rect', { x: 0, y: 0, width, height }, ground)];
  if (style.logos.includes('mark')) {
    const inner = side * 0.72;
    return [...layers, logo('mark', { x: (width - inner) / 2, y: (height - inner) / 2, width: inner, height: inner })];
  }
  const size = Math.max(8, toInteger(side * 0.62));
  const [letter = ''] = [...(style.name.match(/[\p{L}\p{N}]/u)?.[0] ?? copy.heading.match(/[\p{L}\p{N}]/u)?.[0] ?? '')];
  const bar = Math.max(1, toInteger(side * 0.07));
  layers.push(shape('rect', { x: 0, y: height - bar, width, height: bar }, mark));
  if (letter !== '')
    layers.push(
      lettering(
        letter.toUpperCase(),
        { x: 0, y: (height - bar) / 2 - size * 0.585, width, height: size * lineHeight },
        size,
        { font: style.fonts.heading, weight: 700, colour: ink, align: 'center' },
      ),
    );
  return layers;
}

/** The texts of a layout, for measuring them. */
export const textsOf = ({ heading, line }: PictureCopy, { name, fonts }: CanvasStyle): readonly MeasuredText[] => [
  { text: `${heading} ${name}`, font: fonts.heading, weight: 700 },
  { text: line, font: fonts.body, weight: 400 },
];

/** The texts of a picture that is composed from a brief. */
export const textsOfBrief = ({ brief, style }: EmbeddedPictureInput): readonly MeasuredText[] =>
  textsOf(copyOf(brief, style.name || 'Something new'), style);

/** Composes a picture from a brief. */
export const composeEmbedded = ({ brief, ...canvas }: EmbeddedPictureInput): ComposedPicture =>
  layOut(copyOf(brief, canvas.style.name || 'Something new'), canvas);

/** Lays out a heading and a line below it. */
export function layOut(copy: PictureCopy, canvas: StyledCanvas): ComposedPicture {
  const { width, height, style } = canvas;
  const name = copy.heading;
  const short = Math.min(width, height);
  if (short < iconSide && Math.max(width, height) < iconSide * 4) return { name, layers: icon(canvas, copy) };

  const colours = coloursOf(style);
  const { ground, ink, mark } = colours;
  const isBanner = width > height * bannerRatio;
  const isTower = height > width * towerRatio;
  const isRtl = readsRightToLeft(copy.heading) === true;
  const chosen = canvas.layout ?? layoutFor(copy.heading);
  const { area, align, vertical, decoration } = layouts[chosen];
  const fitter = new Fitter(canvas.rulers ?? rulerOf);
  const margin = Math.max(2, isBanner ? height * 0.16 : Math.min(width, height * 1.6) * 0.08);
  const signHeight = isBanner ? height * 0.36 : Math.min(short * 0.1, height * 0.14);
  const laid = { width, height, isBanner, margin, signHeight };
  const behind = decoration(laid, colours);
  const layers = [
    shape('rect', { x: 0, y: 0, width, height }, ground),
    ...(isRtl ? mirroredIn(width, behind) : behind),
  ];

  // The signature is the logo or the name of the brand: below the text, or at the end of a banner.
  const variant = logoFor(style, ground);
  const hasSignature = variant !== undefined || style.name !== '';
  const areaBox = area(laid);
  const signRoom = !hasSignature ? 0 : isBanner ? Math.min(width * 0.24, height * 1.5) : signHeight + margin * 0.8;
  const top = chosen === 'circles' && height > width * tallRatio ? Math.min(height * 0.2, width * 0.32) : 0;
  const isWide = areaBox.width > areaBox.height * 1.2 && align === 'start' && chosen !== 'panel';
  const room: Box = isBanner
    ? {
        x: areaBox.x + margin,
        y: margin,
        width: areaBox.width - 2 * margin - (signRoom > 0 ? signRoom + margin : 0),
        height: height - 2 * margin,
      }
    : {
        x: areaBox.x + margin,
        y: areaBox.y + margin + top,
        width: (areaBox.width - 2 * margin) * (isWide ? 0.82 : 1),
        height: areaBox.height - 2 * margin - signRoom - top,
      };
  /** The box at its final place: mirrored for text from right to left. */
  const placed = (box: Box): Box => (isRtl ? { ...box, x: width - box.x - box.width } : box);
  const textAlign = align === 'center' ? 'center' : isRtl ? 'right' : 'left';

  const heading: Lettering = { font: style.fonts.heading, weight: 700, colour: ink, align: textAlign };
  const body: Lettering = { font: style.fonts.body, weight: 400, colour: ink, align: textAlign };
  const bar = isBanner || chosen === 'edge' || chosen === 'band' ? 0 : Math.max(2, short * 0.012);
  const gap = short * (isBanner ? 0.06 : 0.045);
  const barRoom = bar > 0 ? bar + gap : 0;

  const maxLines = isBanner ? 2 : isTower ? 10 : 5;
  const maxSize = isBanner ? height * 0.34 : Math.min(areaBox.width, height * 1.4) * 0.135;
  const minHeadSize = Math.floor(Math.min(maxSize, Math.max(minSize, short * (isBanner ? 0.08 : 0.03))));
  const bodySize = Math.floor(Math.min(maxSize, Math.max(minSize, short * (isBanner ? 0.06 : 0.026))));
  const headRoom = (share: number) => ({ ...room, height: (room.height - barRoom) * share });
  const headingIn = (share: number, lines: number) =>
    fitter.sizeFor(copy.heading, heading, headRoom(share), [minHeadSize, maxSize], lines) ??
    fitter.sizeFor(copy.heading, heading, headRoom(share), [minHeadSize, maxSize], lines, true);
  /** The heading on this share of the height, and the line below it; undefined if one of them does not fit. */
  const pairIn = (share: number) => {
    const above = headingIn(share, maxLines);
    if (above === undefined) return undefined;
    const below = { ...room, height: room.height - barRoom - above.height - gap };
    const largest = Math.max(bodySize, above.size * 0.46, Math.min(above.size * 0.7, short * 0.04));
    const lines = isBanner ? 3 : 6;
    const line =
      fitter.sizeFor(copy.line, body, below, [bodySize, largest], lines) ??
      fitter.sizeFor(copy.line, body, below, [bodySize, largest], lines, true);
    return line && { head: above, line };
  };
  // A banner is low: its heading gets less height until the line below it is easy to read.
  const pairs =
    copy.line === '' ? [] : (isBanner ? [0.64, 0.54, 0.44] : [0.64]).flatMap((share) => pairIn(share) ?? []);
  const pair =
    pairs.find((one) => one.line.size >= short * minBannerLine) ??
    pairs.sort((one, other) => other.line.size - one.line.size)[0];
  const head =
    pair?.head ??
    headingIn(1, maxLines + 2) ??
    fitter.sizeFor(copy.heading, heading, headRoom(1), [minSize, maxSize], 20, true);
  const headSize = head?.size ?? Math.max(1, Math.min(minSize, room.height / lineHeight));
  const headHeight = head?.height ?? Math.max(headSize * lineHeight, room.height - barRoom);
  const line = pair?.line;

  const textHeight = barRoom + headHeight + (line === undefined ? 0 : gap + line.height);
  const free = Math.max(0, room.height - textHeight);
  const above = isBanner || vertical === 'middle' ? free / 2 : vertical === 'top' ? 0 : free;
  let y = room.y + above;
  if (bar > 0) {
    const barWidth = short * 0.12;
    const barX = align === 'center' ? room.x + (room.width - barWidth) / 2 : room.x;
    layers.push(shape('rect', placed({ x: barX, y, width: barWidth, height: bar }), mark));
    y += barRoom;
  }
  layers.push(lettering(copy.heading, placed({ ...room, y, height: Math.ceil(headHeight) }), headSize, heading));
  y += headHeight + gap;
  if (line !== undefined)
    layers.push(lettering(copy.line, placed({ ...room, y, height: Math.ceil(line.height) }), line.size, body));

  if (hasSignature) layers.push(...signature());
  return { name, layers };

  function signature(): ComposedLayer[] {
    const signWidth = Math.min(signHeight * 4, areaBox.width - 2 * margin);
    const box: Box = isBanner
      ? { x: width - margin - signRoom, y: (height - signHeight) / 2, width: signRoom, height: signHeight }
      : {
          x: align === 'center' ? (width - signWidth) / 2 : areaBox.x + margin,
          y: height - margin - signHeight,
          width: signWidth,
          height: signHeight,
        };
    if (variant !== undefined) return [logo(variant, placed(box))];
    const look: Lettering = { ...heading, align: isBanner ? 'center' : textAlign };
    const nameRoom = isBanner ? box : { ...box, x: areaBox.x + margin, width: areaBox.width - 2 * margin };
    const maxLetters = signHeight * (isBanner ? 0.6 : 0.42);
    const fitted = fitter.sizeFor(style.name, look, nameRoom, [minSize, maxLetters], isBanner ? 2 : 1);
    if (fitted === undefined) return [];
    const down = nameRoom.height - fitted.height;
    const nameBox = { ...nameRoom, y: nameRoom.y + (isBanner ? down / 2 : down), height: Math.ceil(fitted.height) };
    return [lettering(style.name, placed(nameBox), fitted.size, look)];
  }
}
