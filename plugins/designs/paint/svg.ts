// Writes a composition as SVG 1.1, without scripts, style sheets or external references. Pure, and linear in the length of its texts and
// pictures.
import { readsRightToLeft } from '../../../core/unstable.ts';
import type { Font, Layer, LayerOf } from '../schema.ts';
import { type Rulers, rulerOf } from './metrics.ts';
import { baseline, lineHeight, wrap } from './wrap.ts';

/** The picture of an image, a logo or a QR code. */
export type LayerPicture =
  /** Pixels as a data: URL. */
  | { readonly kind: 'pixels'; readonly url: string }
  /** A whole SVG that the qr plugin wrote. */
  | { readonly kind: 'svg'; readonly source: string };

/** A composition to draw. */
export interface DrawnComposition {
  readonly width: number;
  readonly height: number;
  readonly layers: readonly Layer[];
}

/** A number with at most two decimals. */
const number = (value: number): string => String(Math.round(value * 100) / 100 || 0);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Characters that XML 1.0 does not allow: controls, lone surrogates, U+FFFE and U+FFFF. */
const invalidXmlCharacters = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;
export const escaped = (text: string): string =>
  text.replace(invalidXmlCharacters, '').replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

/** Fallback fonts that every system has or replaces. */
const stacks: Readonly<Record<Font['fallback'], string>> = {
  sans: "Helvetica, Arial, 'Liberation Sans', sans-serif",
  serif: "'Times New Roman', Times, 'Liberation Serif', serif",
  mono: "'Courier New', Courier, 'Liberation Mono', monospace",
};
export const familyOf = ({ family, fallback }: Font): string => `'${family}', ${stacks[fallback]}`;

const anchors = { left: 'start', center: 'middle', right: 'end' } as const;

/** The anchors of text from right to left, which starts at the right. */
const mirroredAnchors = { left: 'end', center: 'middle', right: 'start' } as const;

function textOf(layer: LayerOf<'text'>, rulers: Rulers): string {
  const { x, y, width, height, text, font, size, weight, colour, align } = layer;
  const at = align === 'left' ? x : align === 'center' ? x + width / 2 : x + width;
  const lines = wrap(text, layer, width, height, rulers).map((line, index) =>
    line === ''
      ? ''
      : `<text x="${number(at)}" y="${number(y + (index * lineHeight + baseline) * size)}">${escaped(line)}</text>`,
  );
  const direction =
    readsRightToLeft(text) === true
      ? `direction="rtl" text-anchor="${mirroredAnchors[align]}"`
      : `text-anchor="${anchors[align]}"`;
  return `<g font-family="${familyOf(font)}" font-size="${number(size)}" font-weight="${weight}" fill="${colour}" ${direction}>${lines.join('')}</g>`;
}

function shapeOf({ x, y, width, height, shape, fill, stroke }: LayerOf<'shape'>): string {
  const line = stroke === null ? '' : ` stroke="${stroke.colour}" stroke-width="${number(stroke.width)}"`;
  const paint = `fill="${shape === 'line' ? 'none' : (fill ?? 'none')}"${line}`;
  if (shape === 'rect')
    return `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" ${paint}/>`;
  if (shape === 'ellipse')
    return `<ellipse cx="${number(x + width / 2)}" cy="${number(y + height / 2)}" rx="${number(width / 2)}" ry="${number(height / 2)}" ${paint}/>`;
  return `<line x1="${number(x)}" y1="${number(y)}" x2="${number(x + width)}" y2="${number(y + height)}" ${paint}/>`;
}

/** The preserveAspectRatio of each fit. */
const fits = { cover: 'xMidYMid slice', contain: 'xMidYMid meet', fill: 'none' } as const;

/** Nests the SVG of a QR code. The ids of its gradients get a prefix, because a composition may have several codes. */
function nested(source: string, boxAttributes: string, prefix: string): string {
  return source
    .replace(/^<svg([^>]*?) width="[^"]*" height="[^"]*"/, `<svg$1 ${boxAttributes}`)
    .replace(/ id="(g\d+)"/g, ` id="${prefix}$1"`)
    .replace(/url\(#(g\d+)\)/g, `url(#${prefix}$1)`);
}

function pictureOf(layer: LayerOf<'image' | 'logo' | 'qr'>, index: number, picture: LayerPicture): string {
  const fit = layer.kind === 'image' ? fits[layer.fit] : fits.contain;
  const boxAttributes = `x="${number(layer.x)}" y="${number(layer.y)}" width="${number(layer.width)}" height="${number(layer.height)}" preserveAspectRatio="${fit}"`;
  return picture.kind === 'svg'
    ? nested(picture.source, boxAttributes, `l${index}`)
    : `<image ${boxAttributes} xlink:href="${picture.url}"/>`;
}

function drawn(layer: Layer, index: number, pictures: ReadonlyMap<string, LayerPicture>, rulers: Rulers): string {
  if (layer.kind === 'text') return textOf(layer, rulers);
  if (layer.kind === 'shape') return shapeOf(layer);
  const picture = pictures.get(layer.id);
  return picture === undefined ? '' : pictureOf(layer, index, picture);
}

function layerOf(layer: Layer, index: number, pictures: ReadonlyMap<string, LayerPicture>, rulers: Rulers): string {
  const { x, y, width, height, rotation, opacity } = layer;
  if (opacity === 0) return '';
  const inner = drawn(layer, index, pictures, rulers);
  const turned =
    rotation % 360 === 0
      ? ''
      : ` transform="rotate(${number(rotation)} ${number(x + width / 2)} ${number(y + height / 2)})"`;
  const faint = opacity === 1 ? '' : ` opacity="${Math.round(opacity * 1_000) / 1_000}"`;
  return turned === '' && faint === '' ? inner : `<g${turned}${faint}>${inner}</g>`;
}

/** Writes the picture with this size in pixels. `pictures`: of the image, logo and QR layers, by layer id. `rulers`: measure the texts. */
export function writeSvg(
  composition: DrawnComposition,
  size: { readonly width: number; readonly height: number },
  pictures: ReadonlyMap<string, LayerPicture>,
  rulers: Rulers = rulerOf,
): string {
  const body = composition.layers.map((layer, index) => layerOf(layer, index, pictures, rulers)).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${size.width}" height="${size.height}" viewBox="0 0 ${composition.width} ${composition.height}">${body}</svg>`;
}
