// Creates the picture of link previews: the title in the style of the brand, 1200 × 630 px. Uses the embedded composer.
import { createHash } from 'node:crypto';
import { isPostriderError } from '../../core/index.ts';
import type { StoredAsset } from '../assets/index.ts';
import { styleOf } from './composing/compose.ts';
import { layOut, textsOf } from './composing/embedded.ts';
import { copyFrom } from './composing/picture-copy.ts';
import { measuredOrEstimated } from './paint/measure.ts';
import { assetContextOf, type DrawContext } from './paint/pictures.ts';
import { callerOf } from './picture-process.ts';
import { renderComposition } from './render.ts';

/** The content of the picture. */
export interface LinkPictureContent {
  readonly title: string;
  /** Shown below the title. Empty if there is none. */
  readonly description: string;
  /** (Default: the default brand) */
  readonly brandId: string | null;
}

/** The size that Open Graph recommends. */
const size = { width: 1_200, height: 630 } as const;

/** Errors after which another attempt is useless. */
const undrawable = new Set(['composition_renderer_missing', 'composition_fonts_missing', 'composition_incomplete']);

/** The picture as PNG; undefined if it cannot be drawn. */
async function draw(
  context: DrawContext,
  { title, description, brandId }: LinkPictureContent,
): Promise<Uint8Array | undefined> {
  const brand = await context.read(({ trx }) => context.services.brands.style(trx, brandId ?? undefined));
  const [copy, style] = [copyFrom(title, description), styleOf(brand)];
  const rulers = await measuredOrEstimated(textsOf(copy, style), callerOf(context));
  // All previews of a site have the same layout.
  const composed = layOut(copy, { ...size, style, layout: 'circles', rulers });
  const layers = composed.layers.map((layer, index) => ({ ...layer, id: `layer${index + 1}` }));
  try {
    const { bytes } = await renderComposition(context, { ...size, layers, brand_id: brandId }, 'png', 1);
    return bytes;
  } catch (error) {
    if (isPostriderError(error) && undrawable.has(error.code)) return undefined;
    throw error;
  }
}

/** See `DesignsService.storeLinkPicture`. */
export async function storeLinkPicture(
  context: DrawContext,
  content: LinkPictureContent,
  current: string | null,
): Promise<StoredAsset | 'same' | undefined> {
  const { assets } = context.services;
  if (!(await assets.hasStore(context.workspace.id))) return undefined;
  const bytes = await draw(context, content);
  if (bytes === undefined) return undefined;
  const before = current === null ? undefined : await context.read(({ trx }) => assets.find(trx, current));
  if (before?.sha256 === createHash('sha256').update(bytes).digest('hex')) return 'same';
  return assets.store(assetContextOf(context), {
    name: `Link preview: ${content.title}`,
    bytes,
    contentType: 'image/png',
    source: 'render',
    tags: ['link-preview'],
  });
}
