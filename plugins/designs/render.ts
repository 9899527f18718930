// Draws a composition in one format. Called outside of any transaction.
import { errors } from './errors.ts';
import { measuredRulers } from './paint/measure.ts';
import { rulerOf } from './paint/metrics.ts';
import { missingLetters } from './paint/missing-letters.ts';
import { type DrawContext, readPictures } from './paint/pictures.ts';
import { contentTypes, rasterOf } from './paint/raster.ts';
import { writeSvg } from './paint/svg.ts';
import { callerOf } from './picture-process.ts';
import { type Layer, maxSide, type RenderFormat } from './schema.ts';
import type { CompositionRow } from './tables.ts';

/** A drawn composition. */
export interface RenderedPicture {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** A composition to draw: a row, or a composition that is not stored. */
export type Drawable = Pick<CompositionRow, 'width' | 'height' | 'layers' | 'brand_id'>;

/** The maximum number of pixels that are painted for one picture, over all of its layers. */
const maxPainted = 500_000_000;
/** The maximum number of bytes of a drawn picture. */
const maxBytes = 10 * 1_048_576;

/** The size of a picture in pixels. @throws composition_too_large */
export function sizeOf(
  { width, height, layers }: Drawable,
  scale: number,
): { readonly width: number; readonly height: number } {
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  if (Math.max(size.width, size.height) > maxSide) {
    const maxScale = Math.floor((maxSide / Math.max(width, height)) * 100) / 100;
    throw errors.composition_too_large(
      { reason: `A picture has at most ${maxSide} px a side. Give a scale of at most ${maxScale}.` },
      { details: [{ path: 'scale', code: 'composition_too_large', message: `At most ${maxScale}.` }] },
    );
  }
  const canvas = size.width * size.height;
  const area = (layer: Layer): number => Math.min(canvas, layer.width * layer.height * scale * scale);
  const painted = layers.reduce((sum, layer) => sum + (layer.opacity < 1 ? canvas : area(layer)), canvas);
  if (painted > maxPainted)
    throw errors.composition_too_large({
      reason: 'This picture has too many large layers for its size. Give a smaller scale, or fewer layers.',
    });
  return size;
}

/** @throws composition_fonts_missing, composition_renderer_missing, composition_busy */
async function checkLetters(layers: readonly Layer[], context: DrawContext): Promise<void> {
  const texts = layers.flatMap((layer) => (layer.kind === 'text' ? [layer.text] : []));
  const letters = texts.length === 0 ? [] : await missingLetters(texts, callerOf(context));
  if (letters.length > 0) throw errors.composition_fonts_missing({ letters: letters.slice(0, 10) });
}

/** Measures the texts of the layers with the fonts that draw them. @throws composition_renderer_missing, composition_busy */
const rulersFor = (layers: readonly Layer[], context: DrawContext) =>
  measuredRulers(
    layers.flatMap((layer) => (layer.kind === 'text' ? [layer] : [])),
    callerOf(context),
  );

/**
 * Draws a composition.
 * @throws composition_incomplete, composition_too_large, composition_fonts_missing, composition_renderer_missing, composition_busy,
 *   asset_store_unavailable
 */
export async function renderComposition(
  context: DrawContext,
  composition: Drawable,
  format: RenderFormat,
  scale: number,
): Promise<RenderedPicture> {
  const size = sizeOf(composition, scale);
  if (format !== 'svg') await checkLetters(composition.layers, context);
  const rulers = format === 'svg' ? rulerOf : await rulersFor(composition.layers, context);
  const svg = writeSvg(composition, size, await readPictures(context, composition, scale), rulers);
  const bytes =
    format === 'svg' ? Buffer.from(svg) : await rasterOf(svg, format, size.width * size.height, callerOf(context));
  if (bytes.length > maxBytes)
    throw errors.composition_too_large({
      reason: `This picture has ${Math.ceil(bytes.length / 1_048_576)} MB, and an answer at most ${maxBytes / 1_048_576}. Give a smaller scale, or the format webp or jpeg.`,
    });
  return { contentType: contentTypes[format], bytes, ...size };
}

/** The longer side of a thumbnail, in pixels. */
const thumbnailSide = 480;

/**
 * Draws a small WebP. Letters that no font has are drawn as boxes.
 * @throws composition_incomplete, composition_renderer_missing, composition_busy
 */
export async function renderThumbnail(context: DrawContext, composition: Drawable): Promise<Buffer> {
  const scale = Math.min(1, thumbnailSide / Math.max(composition.width, composition.height));
  const side = (length: number): number => Math.max(1, Math.round(length * scale));
  const size = { width: side(composition.width), height: side(composition.height) };
  const rulers = await rulersFor(composition.layers, context);
  const svg = writeSvg(composition, size, await readPictures(context, composition, scale), rulers);
  return rasterOf(svg, 'webp', size.width * size.height, callerOf(context));
}
