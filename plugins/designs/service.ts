// `ctx.services.designs`: what other plugins ask about compositions.
import type { WorkspaceHandle } from '../../core/index.ts';
import type { StoredAsset } from '../assets/index.ts';
import { errors } from './errors.ts';
import { type LinkShown, storeLinkPicture } from './link-picture.ts';
import { type DesignPrices, type DesignsOptions, defaultPrices } from './options.ts';
import type { DrawPlace } from './paint/pictures.ts';
import { type Rendered, renderComposition, renderThumbnail } from './render.ts';
import type { Format } from './schema.ts';
import { type CompositionRow, compositionRows } from './tables.ts';
import { Thumbnails } from './thumbnails.ts';

/** A composition, for what refers to it. */
export interface CompositionLook {
  readonly id: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly version: number;
}

/** `ctx.services.designs`. */
export interface DesignsService {
  readonly prices: Required<DesignPrices>;
  /** A composition on the handle's side of the workspace. `lock` keeps it from being deleted until the transaction ends. (Default: no lock) */
  find(handle: WorkspaceHandle, compositionId: string, lock?: 'share'): Promise<CompositionLook | undefined>;
  /** The error for an id that no composition has, so that other plugins raise the same one. */
  notFound(compositionId: string): Error;
  /**
   * Draws a stored composition, outside a transaction: in `prepare` or in a job. `scale`: 1 to 4. (Default: 1)
   * @throws composition_not_found, composition_incomplete, composition_too_large, composition_fonts_missing,
   *   composition_renderer_missing, composition_busy, asset_store_unavailable
   */
  render(place: DrawPlace, compositionId: string, format: Format, scale?: number): Promise<Rendered>;
  /**
   * Draws and stores the picture that previews of a link show, in a job. Costs nothing, and asks no model. `add` makes an asset of what
   * it answers. Answers `same` where the asset `current` is that picture, and undefined where the service cannot draw it: it has no
   * store of assets, no `sharp`, no font with the letters, or the logo cannot be read.
   * @throws composition_busy, asset_store_unavailable: try again
   */
  storeLinkPicture(
    place: DrawPlace,
    shown: LinkShown,
    current: string | null,
  ): Promise<StoredAsset | 'same' | undefined>;
  /** The thumbnail of a row, from memory where it was drawn before. */
  thumbnail(place: DrawPlace, row: CompositionRow, now: number): Promise<Uint8Array>;
}

/** Makes the service. Its only state are thumbnails. */
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
      async render(place, id, format, scale = 1) {
        const row = await place.read(({ trx }) => compositionRows.find(trx, id));
        if (row === undefined) throw errors.composition_not_found({ id });
        return renderComposition(place, row, format, scale);
      },
      storeLinkPicture,
      thumbnail: (place, row, now) => thumbnails.of(row, now, () => renderThumbnail(place, row)),
    };
  };
