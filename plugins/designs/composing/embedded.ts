// The embedded composer: lays out a picture from a brief and the brand, without a model and without network access. The same input gives
// the same picture. Handles sides from 16 to 8,192 px and every aspect ratio, such as stories and banners. Pure.

import { lineHeight, linesAt } from '../paint/wrap.ts';
import type { ComposedLayer, Font } from '../schema.ts';
import { contrast, mix, readableOn } from './colours.ts';
import { copyOf, type PictureCopy } from './picture-copy.ts';

/** The parts of the brand that pictures show. */
export interface CanvasStyle {
  /** Empty if there is no brand. */
  readonly name: string;
  readonly palette: {
    readonly primary: string;
    readonly secondary: string;
    readonly accent: string;
    readonly background: string;
    readonly text: string;
  };
  readonly fonts: { readonly heading: Font; readonly body: Font };
  /** The logos that are assets. */
  readonly logos: readonly ('light' | 'dark' | 'mark')[];
}

/** The canvas and the style of a layout. */
export interface StyledCanvas {
  readonly width: number;
  readonly height: number;
  readonly style: CanvasStyle;
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

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const whole = (value: number): number => Math.round(value);
const rounded = ({ x, y, width, height }: Box): Box => ({
  x: whole(x),
  y: whole(y),
  width: Math.max(1, whole(width)),
  height: Math.max(1, whole(height)),
});

const shape = (form: 'rect' | 'ellipse', box: Box, fill: string, opacity = 1): ComposedLayer => ({
  kind: 'shape',
  shape: form,
  ...rounded(box),
  rotation: 0,
  opacity,
  fill,
  stroke: null,
});

interface Lettering {
  readonly font: Font;
  readonly weight: number;
  readonly colour: string;
  readonly align: 'left' | 'center';
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

/** Whether the text fits without splitting a word. */
function fits(text: string, size: number, look: Lettering, room: Box, maxLines: number): boolean {
  const lines = linesAt(text, { ...look, size }, room.width);
  const wordCount = text.split(' ').length;
  const isWhole = lines.length <= 1 || lines.join(' ').split(' ').length === wordCount;
  return isWhole && lines.length <= maxLines && lines.length * size * lineHeight <= room.height;
}

/** The largest size within `sizes` at which the text fits; undefined if there is none. */
function sizeFor(text: string, look: Lettering, room: Box, sizes: readonly [number, number], maxLines: number) {
  let [low, high] = [Math.ceil(sizes[0]), Math.floor(Math.min(sizes[1], 2_000))];
  if (low < 1 || low > high || !fits(text, low, look, room, maxLines)) return undefined;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text, middle, look, room, maxLines)) low = middle;
    else high = middle - 1;
  }
  return { size: low, height: linesAt(text, { ...look, size: low }, room.width).length * low * lineHeight };
}

/** The smallest size of letters that is readable on a screen. */
const minSize = 10;
/** If a picture is smaller, it shows only one letter or the logo `mark`. */
const iconSide = 72;

/** The ratios of the sides above which a picture counts as a banner (width to height), as tall, or as a tower (height to width). */
const bannerRatio = 2.2;
const tallRatio = 1.15;
const towerRatio = 2.2;

interface Colours {
  readonly ground: string;
  readonly ink: string;
  /** A contrasting colour for small shapes. */
  readonly mark: string;
  /** The colour of shapes under texts. */
  readonly soft: string;
}

function coloursOf({ palette: { primary, secondary, accent, background, text } }: CanvasStyle): Colours {
  const ink = readableOn(primary, [background, text]);
  const standsOut = (colour: string): boolean => contrast(colour, primary) >= 1.6;
  return {
    ground: primary,
    ink,
    mark: [accent, secondary, ink].find(standsOut) ?? ink,
    soft: [secondary, accent, ink].find((colour) => contrast(colour, primary) >= 1.12) ?? ink,
  };
}

/** The best available logo for the background. The variant `dark` is for a dark background. */
function logoFor({ logos }: CanvasStyle, ground: string): 'light' | 'dark' | 'mark' | undefined {
  const isDark = contrast(ground, '#ffffff') > 4.5;
  return (isDark ? (['dark', 'mark', 'light'] as const) : (['light', 'mark', 'dark'] as const)).find((one) =>
    logos.includes(one),
  );
}

/** Two circles that extend beyond the canvas, away from the text. A banner has one circle, and a bar at its left edge. */
function decoration({ width, height }: StyledCanvas, { soft, mark, ground, ink }: Colours): ComposedLayer[] {
  const faint = [0.35, 0.25, 0.15].find((share) => contrast(ink, mix(ground, soft, share)) >= 4.5) ?? 0.08;
  if (width > height * bannerRatio) {
    const big = height * 2;
    return [
      shape('ellipse', { x: width - height * 1.35, y: -height * 0.35, width: big, height: big }, soft, faint),
      shape('rect', { x: 0, y: 0, width: Math.max(2, height * 0.05), height }, mark),
    ];
  }
  const big = Math.min(width, height) * 0.5 + Math.max(width, height) * 0.28;
  const small = big * 0.3;
  const isTall = height > width * tallRatio;
  const [bigY, smallY] = isTall ? [-big * 0.42, -small * 0.18] : [height - big * 0.6, height - small * 0.82];
  return [
    shape('ellipse', { x: width - big * 0.62, y: bigY, width: big, height: big }, soft, faint),
    shape('ellipse', { x: width - small * 0.8, y: smallY, width: small, height: small }, mark),
  ];
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
  const size = Math.max(8, whole(side * 0.62));
  const [letter = ''] = [...(style.name.match(/[\p{L}\p{N}]/u)?.[0] ?? copy.heading.match(/[\p{L}\p{N}]/u)?.[0] ?? '')];
  const bar = Math.max(1, whole(side * 0.07));
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
  const margin = Math.max(2, isBanner ? height * 0.16 : width * 0.08);
  const layers = [shape('rect', { x: 0, y: 0, width, height }, ground), ...decoration(canvas, colours)];

  // The signature is the logo or the name of the brand: below the text, or at the right edge of a banner.
  const variant = logoFor(style, ground);
  const signs = variant !== undefined || style.name !== '';
  const signHeight = isBanner ? height * 0.36 : Math.min(short * 0.1, height * 0.14);
  const signRoom = !signs ? 0 : isBanner ? Math.min(width * 0.24, height * 1.5) : signHeight + margin * 0.6;
  const top = height > width * tallRatio ? Math.min(height * 0.2, width * 0.32) : 0;
  const room: Box = isBanner
    ? {
        x: margin,
        y: margin,
        width: width - 2 * margin - (signRoom > 0 ? signRoom + margin : 0),
        height: height - 2 * margin,
      }
    : {
        x: margin,
        y: margin + top,
        width: (width - 2 * margin) * (width > height * 1.2 ? 0.82 : 1),
        height: height - 2 * margin - signRoom - top,
      };

  const heading: Lettering = { font: style.fonts.heading, weight: 700, colour: ink, align: 'left' };
  const body: Lettering = { font: style.fonts.body, weight: 400, colour: ink, align: 'left' };
  const bar = isBanner ? 0 : Math.max(2, short * 0.012);
  const gap = short * (isBanner ? 0.06 : 0.045);
  const barRoom = bar > 0 ? bar + gap : 0;

  const maxLines = isBanner ? 2 : isTower ? 10 : 5;
  const maxSize = isBanner ? height * 0.34 : Math.min(width, height * 1.4) * 0.135;
  const headRoom = (share: number) => ({ ...room, height: (room.height - barRoom) * share });
  const both =
    copy.line === '' ? undefined : sizeFor(copy.heading, heading, headRoom(0.64), [minSize, maxSize], maxLines);
  const head = both ?? sizeFor(copy.heading, heading, headRoom(1), [minSize, maxSize], maxLines + 2);
  const headSize = head?.size ?? Math.max(1, Math.min(minSize, room.height / lineHeight));
  const headHeight = head?.height ?? room.height - barRoom;
  const lineRoom = { ...room, height: room.height - barRoom - headHeight - gap };
  const line =
    both === undefined
      ? undefined
      : sizeFor(
          copy.line,
          body,
          lineRoom,
          [minSize, Math.max(minSize, headSize * 0.46, Math.min(headSize * 0.7, short * 0.04))],
          isBanner ? 1 : 6,
        );

  // Centre the block of texts vertically in its room.
  const used = barRoom + headHeight + (line === undefined ? 0 : gap + line.height);
  let y = room.y + Math.max(0, (room.height - used) / 2);
  if (bar > 0) {
    layers.push(shape('rect', { x: room.x, y, width: short * 0.12, height: bar }, mark));
    y += barRoom;
  }
  layers.push(lettering(copy.heading, { ...room, y, height: Math.ceil(headHeight) }, headSize, heading));
  y += headHeight + gap;
  if (line !== undefined)
    layers.push(lettering(copy.line, { ...room, y, height: Math.ceil(line.height) }, line.size, body));

  if (signs) {
    const at: Box = isBanner
      ? { x: width - margin - signRoom, y: (height - signHeight) / 2, width: signRoom, height: signHeight }
      : {
          x: margin,
          y: height - margin - signHeight,
          width: Math.min(signHeight * 4, width - 2 * margin),
          height: signHeight,
        };
    if (variant !== undefined) layers.push(logo(variant, at));
    else {
      const look: Lettering = { ...heading, align: isBanner ? 'center' : 'left' };
      const found = sizeFor(style.name, look, at, [minSize, signHeight * (isBanner ? 0.6 : 0.42)], isBanner ? 2 : 1);
      if (found !== undefined)
        layers.push(
          lettering(
            style.name,
            {
              ...at,
              y: at.y + (isBanner ? (at.height - found.height) / 2 : at.height - found.height),
              height: Math.ceil(found.height),
            },
            found.size,
            look,
          ),
        );
    }
  }
  return { name, layers };
}
