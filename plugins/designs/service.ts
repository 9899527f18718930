// `ctx.services.designs`: the compositions API for other plugins.
import type { WorkspaceHandle } from '../../core/index.ts';
import type { StoredAsset } from '../assets/index.ts';
import { errors } from './errors.ts';
import { type LinkPictureContent, storeLinkPicture } from './link-picture.ts';
import { type DesignPrices, type DesignsOptions, defaultPrices } from './options.ts';
import type { DrawContext } from './paint/pictures.ts';
import { type RenderedPicture, renderComposition, renderThumbnail } from './render.ts';
import type { RenderFormat } from './schema.ts';
import { type CompositionRow, compositionRows } from './tables.ts';
import { Thumbnails } from './thumbnails.ts';

/** The data of a composition that other plugins use. */
export interface CompositionSummary {
  readonly id: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly version: number;
}

/** Finds and draws compositions for other plugins. */
export interface DesignsService {
  readonly prices: Required<DesignPrices>;
  /** A composition of the handle's side. `lock` keeps it from being deleted until the transaction ends. (Default: no lock) */
  find(handle: WorkspaceHandle, compositionId: string, lock?: 'share'): Promise<CompositionSummary | undefined>;
  /** The error for an id that no composition has. Other plugins throw it, too. */
  notFound(compositionId: string): Error;
  /**
   * Draws a stored composition. Called outside a transaction: in `prepare` or in a job. `scale`: 1 to 4. (Default: 1)
   * @throws composition_not_found, composition_incomplete, composition_too_large, composition_fonts_missing,
   *   composition_renderer_missing, composition_busy, asset_store_unavailable
   */
  render(context: DrawContext, compositionId: string, format: RenderFormat, scale?: number): Promise<RenderedPicture>;
  /**
   * Draws and stores the picture of link previews. Called in a job. Costs no credits, and does not call a model. `AssetsService.add` makes
   * an asset of the result. Returns `same` if the asset `current` is this picture. Returns undefined if the service cannot draw it: there
   * is no asset store, no `sharp` or no font with the letters, or the logo cannot be read.
   * @throws composition_busy, asset_store_unavailable: the caller may try again
   */
  storeLinkPicture(
    context: DrawContext,
    content: LinkPictureContent,
    current: string | null,
  ): Promise<StoredAsset | 'same' | undefined>;
  /** The thumbnail of a row, from memory if it was drawn recently. */
  thumbnail(context: DrawContext, row: CompositionRow, now: number): Promise<Uint8Array>;
}

/** The only state of the service is its cache of thumbnails. */
export const createDesignsService =
  ({ prices }: DesignsOptions) =>
  (): DesignsService => {
    const thumbnails = new Thumbnails();
    return {
      prices: { ...defaultPrices, ...prices },
      async find(handle, id, lock) {
        const row = await compositionRows.findBy(handle, { id }, lock);
        if (row === undefined) return undefined;
        const { name, width, height, version } = row;
        return { id, name, width, height, version };
      },
      notFound: (id) => errors.composition_not_found({ id }),
      async render(drawContext, id, format, scale = 1) {
        const row = await drawContext.read(({ trx }) => compositionRows.find(trx, id));
        if (row === undefined) throw errors.composition_not_found({ id });
        return renderComposition(drawContext, row, format, scale);
      },
      storeLinkPicture,
      thumbnail: (drawContext, row, now) => thumbnails.of(row, now, () => renderThumbnail(drawContext, row)),
    };
  };
