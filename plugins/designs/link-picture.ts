// Makes the picture of link previews: the title in the style of the brand, 1200 × 630 px. Uses the embedded composer.
import { createHash } from 'node:crypto';
import { isPostriderError } from '../../core/index.ts';
import type { StoredAsset } from '../assets/index.ts';
import { styleOf } from './composing/compose.ts';
import { copyFrom } from './composing/copy.ts';
import { layOut } from './composing/embedded.ts';
import { assetsOnly, type DrawPlace } from './paint/pictures.ts';
import { renderComposition } from './render.ts';

/** The content of the picture. */
export interface LinkShown {
  readonly title: string;
  /** Shown below the title. Empty if there is none. */
  readonly description: string;
  /** (Default: the default brand) */
  readonly brandId: string | null;
}

/** The size that Open Graph asks for. */
const size = { width: 1_200, height: 630 } as const;

/** Errors after which another try is useless. */
const undrawable = new Set(['composition_renderer_missing', 'composition_fonts_missing', 'composition_incomplete']);

/** The picture as PNG; undefined if it cannot be drawn. */
async function draw(place: DrawPlace, { title, description, brandId }: LinkShown): Promise<Uint8Array | undefined> {
  const brand = await place.read(({ trx }) => place.services.brands.look(trx, brandId ?? undefined));
  const composed = layOut(copyFrom(title, description), { ...size, style: styleOf(brand) });
  const layers = composed.layers.map((layer, index) => ({ ...layer, id: `layer${index + 1}` }));
  try {
    const { bytes } = await renderComposition(place, { ...size, layers, brand_id: brandId }, 'png', 1);
    return bytes;
  } catch (error) {
    if (isPostriderError(error) && undrawable.has(error.code)) return undefined;
    throw error;
  }
}

/** See `DesignsService.storeLinkPicture`. */
export async function storeLinkPicture(
  place: DrawPlace,
  shown: LinkShown,
  current: string | null,
): Promise<StoredAsset | 'same' | undefined> {
  const { assets } = place.services;
  if (!(await assets.hasStore(place.workspace.id))) return undefined;
  const bytes = await draw(place, shown);
  if (bytes === undefined) return undefined;
  const before = current === null ? undefined : await place.read(({ trx }) => assets.find(trx, current));
  if (before?.sha256 === createHash('sha256').update(bytes).digest('hex')) return 'same';
  return assets.store(assetsOnly(place), {
    name: `Link preview: ${shown.title}`,
    bytes,
    contentType: 'image/png',
    source: 'render',
    tags: ['link-preview'],
  });
}
