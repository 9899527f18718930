// Reads the pictures of image, logo and QR layers, outside of any transaction. Nothing is fetched: pictures and logos are assets of the
// workspace, and the qr plugin renders the codes.
import { isPostriderError, type ReadContext, type ServiceContext } from '../../../core/index.ts';
import { PictureError, type PictureWork } from '../../../core/unstable.ts';
import type { BrandLook } from '../../brand/index.ts';
import type { QrService } from '../../qr/service.ts';
import { busy, incomplete } from '../errors.ts';
import { callerOf, withPictures } from '../packages.ts';
import type { Layer, LayerOf } from '../schema.ts';
import type { CompositionRow } from '../tables.ts';
import type { Picture } from './svg.ts';

/** The context in which a composition is drawn: of `prepare`, of a job, or of a route with its workspace. */
export interface DrawPlace extends ServiceContext {
  readonly workspace: { readonly id: string };
  readonly signal?: AbortSignal | undefined;
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
}

/** The largest file that is read, in bytes, and the most pixels that it may have. */
const maxBytes = 25 * 1_048_576;
const maxPixels = 50_000_000;
/** The largest side of a drawn picture, in pixels. Larger layers stretch it. */
const maxDrawn = 4_096;

/** A layer with the path of its field in the composition. */
interface Placed<Kind extends Layer['kind']> {
  readonly layer: LayerOf<Kind>;
  readonly path: string;
}

/** The context for calls of the asset service. */
export const assetsOnly = (place: DrawPlace) => ({
  workspace: place.workspace,
  ...(place.signal === undefined ? {} : { signal: place.signal }),
});

const sideOf = (length: number, scale: number): number => Math.max(1, Math.min(maxDrawn, Math.ceil(length * scale)));

/** Draws a file for a layer, with no more pixels than the layer shows. @throws PictureError, composition_busy */
async function pixelsOf(
  place: DrawPlace,
  file: Uint8Array,
  layer: LayerOf<'image' | 'logo'>,
  scale: number,
): Promise<Picture> {
  const [width, height] = [sideOf(layer.width, scale), sideOf(layer.height, scale)];
  const caller = callerOf(place);
  const own = await withPictures((desk) => desk.read(file, caller));
  const fit = layer.kind === 'logo' || layer.fit === 'contain' ? 'inside' : layer.fit === 'cover' ? 'outside' : 'fill';
  const [across, down] = [width / own.width, height / own.height];
  // SVGs are drawn as large as they are shown. At a density of 72, an SVG has its own size.
  const shown = fit === 'inside' ? Math.min(across, down) : Math.max(across, down);
  const density = Math.min(Math.max(72 * Math.min(shown, maxDrawn / own.width, maxDrawn / own.height), 1), 7_200);
  const work: PictureWork = {
    maxPixels,
    ...(own.format === 'svg' ? { density } : {}),
    isUpright: true,
    size: { width, height, fit, withoutEnlargement: true },
    colours: 'srgb',
    format: own.format !== 'svg' && !own.hasAlpha ? { kind: 'jpeg', quality: 92 } : { kind: 'png' },
  };
  const { bytes, format } = await withPictures((desk) => desk.draw(file, work, caller));
  return { kind: 'pixels', url: `data:image/${format};base64,${bytes.toString('base64')}` };
}

/** @throws composition_incomplete, asset_store_unavailable */
async function assetPictures(
  place: DrawPlace,
  assetId: string,
  layers: readonly Placed<'image' | 'logo'>[],
  scale: number,
): Promise<[string, Picture][]> {
  const [first] = layers;
  if (first === undefined) return [];
  const refused = ({ layer, path }: Placed<'image' | 'logo'>, reason: string, cause?: unknown) =>
    incomplete(layer.id, path, reason, cause);
  const row = await place.read(({ trx }) => place.services.assets.find(trx, assetId));
  if (row === undefined) throw refused(first, `There is no asset ${assetId} any more.`);
  if (row.status !== 'ready' || (row.kind !== 'image' && row.kind !== 'gif'))
    throw refused(first, `The asset ${assetId} is no picture that is ready.`);
  let bytes: Uint8Array;
  try {
    bytes = await place.services.assets.readForCaller(assetsOnly(place), assetId, maxBytes);
  } catch (error) {
    if (!isPostriderError(error) || error.code === 'asset_store_unavailable') throw error;
    throw refused(first, error.message, error);
  }
  const made: [string, Picture][] = [];
  for (const placed of layers) {
    place.signal?.throwIfAborted();
    try {
      made.push([placed.layer.id, await pixelsOf(place, bytes, placed.layer, scale)]);
    } catch (error) {
      if (!(error instanceof PictureError)) throw error;
      throw refused(placed, error.message.replace('The picture', `The picture ${assetId}`), error);
    }
  }
  return made;
}

/** The asset of the brand's logo. @throws composition_incomplete */
function logoAsset(brand: BrandLook | undefined, { layer, path }: Placed<'logo'>): string {
  const { id, variant } = layer;
  if (brand === undefined) throw incomplete(id, path, 'The workspace has no brand, and so no logo.');
  const logo = brand.logos[variant];
  if (logo === null) throw incomplete(id, path, `The brand ${brand.id} has no logo ${variant}.`);
  if (logo.assetId === undefined)
    throw incomplete(id, path, `The logo ${variant} of the brand ${brand.id} is a URL: make it an asset.`);
  return logo.assetId;
}

/** @throws composition_incomplete, composition_busy */
async function qrPicture(place: DrawPlace, { layer, path }: Placed<'qr'>): Promise<Picture> {
  const qr: QrService | undefined = place.services.qr;
  if (qr === undefined) throw incomplete(layer.id, path, 'This service makes no QR codes.');
  try {
    const { bytes } = await qr.renderDesign(place, layer.qrId, 'svg');
    return { kind: 'svg', source: bytes.toString() };
  } catch (error) {
    if (!isPostriderError(error)) throw error;
    if (error.code === 'qr_busy') throw busy();
    throw incomplete(layer.id, path, error.message, error);
  }
}

/** The pictures of these layers, by layer id. `scale`: picture pixels per canvas pixel. @throws composition_incomplete */
export async function readPictures(
  place: DrawPlace,
  { layers, brand_id: brandId }: Pick<CompositionRow, 'layers' | 'brand_id'>,
  scale: number,
): Promise<ReadonlyMap<string, Picture>> {
  const byAsset = new Map<string, Placed<'image' | 'logo'>[]>();
  const codes: Placed<'qr'>[] = [];
  const add = (assetId: string, placed: Placed<'image' | 'logo'>) =>
    byAsset.set(assetId, [...(byAsset.get(assetId) ?? []), placed]);
  const hasLogo = layers.some(({ kind }) => kind === 'logo');
  const brand = hasLogo
    ? await place.read(({ trx }) => place.services.brands.look(trx, brandId ?? undefined))
    : undefined;
  for (const [index, layer] of layers.entries()) {
    const path = `layers.${index}`;
    if (layer.kind === 'image') add(layer.assetId, { layer, path: `${path}.assetId` });
    if (layer.kind === 'logo') add(logoAsset(brand, { layer, path: `${path}.variant` }), { layer, path });
    if (layer.kind === 'qr') codes.push({ layer, path: `${path}.qrId` });
  }
  const made: [string, Picture][] = [];
  // Files are read one after the other, so that only one is in memory.
  for (const [assetId, placed] of byAsset) made.push(...(await assetPictures(place, assetId, placed, scale)));
  for (const placed of codes) made.push([placed.layer.id, await qrPicture(place, placed)]);
  return new Map(made);
}
