// Reads the pictures of image, logo and QR layers, outside of any transaction. Nothing is fetched: pictures and logos are assets of the
// workspace, and the qr plugin renders the codes.
import { isPostriderError, type ReadContext, type ServiceContext } from '../../../core/index.ts';
import { PictureError, type PictureWork } from '../../../core/unstable.ts';
import type { BrandStyle } from '../../brand/index.ts';
import type { QrService } from '../../qr/service.ts';
import { busyError, incompleteError } from '../errors.ts';
import { callerOf, withPictures } from '../picture-process.ts';
import type { Layer, LayerOf } from '../schema.ts';
import type { CompositionRow } from '../tables.ts';
import type { LayerPicture } from './svg.ts';

/** The context in which a composition is drawn: of `prepare`, of a job, or of a route with its workspace. */
export interface DrawContext extends ServiceContext {
  readonly workspace: { readonly id: string };
  readonly signal?: AbortSignal | undefined;
  read<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T>;
}

/** The maximum number of bytes of a file that is read, and the maximum number of its pixels. */
const maxBytes = 25 * 1_048_576;
const maxPixels = 50_000_000;
/** The largest side of a drawn picture, in pixels. Larger layers stretch it. */
const maxDrawn = 4_096;

/** A layer with the path of its field in the composition. */
interface LayerAtPath<Kind extends Layer['kind']> {
  readonly layer: LayerOf<Kind>;
  readonly path: string;
}

/** The context for calls of the asset service. */
export const assetContextOf = (context: DrawContext) => ({
  workspace: context.workspace,
  ...(context.signal === undefined ? {} : { signal: context.signal }),
});

const sideOf = (length: number, scale: number): number => Math.max(1, Math.min(maxDrawn, Math.ceil(length * scale)));

/** Draws a file for a layer, with no more pixels than the layer shows. @throws PictureError, composition_busy */
async function pixelsOf(
  context: DrawContext,
  file: Uint8Array,
  layer: LayerOf<'image' | 'logo'>,
  scale: number,
): Promise<LayerPicture> {
  const [width, height] = [sideOf(layer.width, scale), sideOf(layer.height, scale)];
  const caller = callerOf(context);
  const facts = await withPictures((worker) => worker.read(file, caller));
  const fit = layer.kind === 'logo' || layer.fit === 'contain' ? 'inside' : layer.fit === 'cover' ? 'outside' : 'fill';
  const [across, down] = [width / facts.width, height / facts.height];
  // SVGs are drawn as large as they are shown. At a density of 72, an SVG has its own size.
  const drawnScale = fit === 'inside' ? Math.min(across, down) : Math.max(across, down);
  const density = Math.min(
    Math.max(72 * Math.min(drawnScale, maxDrawn / facts.width, maxDrawn / facts.height), 1),
    7_200,
  );
  const work: PictureWork = {
    maxPixels,
    ...(facts.format === 'svg' ? { density } : {}),
    isUpright: true,
    size: { width, height, fit, withoutEnlargement: true },
    colours: 'srgb',
    format: facts.format !== 'svg' && !facts.hasAlpha ? { kind: 'jpeg', quality: 92 } : { kind: 'png' },
  };
  const { bytes, format } = await withPictures((worker) => worker.draw(file, work, caller));
  return { kind: 'pixels', url: `data:image/${format};base64,${bytes.toString('base64')}` };
}

/** @throws composition_incomplete, asset_store_unavailable */
async function assetPictures(
  context: DrawContext,
  assetId: string,
  layers: readonly LayerAtPath<'image' | 'logo'>[],
  scale: number,
): Promise<[string, LayerPicture][]> {
  const [first] = layers;
  if (first === undefined) return [];
  const refused = ({ layer, path }: LayerAtPath<'image' | 'logo'>, reason: string, cause?: unknown) =>
    incompleteError(layer.id, path, reason, cause);
  const row = await context.read(({ trx }) => context.services.assets.find(trx, assetId));
  if (row === undefined) throw refused(first, `The asset ${assetId} no longer exists.`);
  if (row.status !== 'ready' || (row.kind !== 'image' && row.kind !== 'gif'))
    throw refused(first, `The asset ${assetId} is not a picture, or is not ready.`);
  let bytes: Uint8Array;
  try {
    bytes = await context.services.assets.readForCaller(assetContextOf(context), assetId, maxBytes);
  } catch (error) {
    if (!isPostriderError(error) || error.code === 'asset_store_unavailable') throw error;
    throw refused(first, error.message, error);
  }
  const entries: [string, LayerPicture][] = [];
  for (const placed of layers) {
    context.signal?.throwIfAborted();
    try {
      entries.push([placed.layer.id, await pixelsOf(context, bytes, placed.layer, scale)]);
    } catch (error) {
      if (!(error instanceof PictureError)) throw error;
      throw refused(placed, error.message.replace('The picture', `The picture ${assetId}`), error);
    }
  }
  return entries;
}

/** The asset of the brand's logo. @throws composition_incomplete */
function logoAsset(brand: BrandStyle | undefined, { layer, path }: LayerAtPath<'logo'>): string {
  const { id, variant } = layer;
  if (brand === undefined) throw incompleteError(id, path, 'The workspace has no brand, and so no logo.');
  const logo = brand.logos[variant];
  if (logo === null) throw incompleteError(id, path, `The brand ${brand.id} has no logo ${variant}.`);
  if (logo.assetId === undefined)
    throw incompleteError(id, path, `The logo ${variant} of the brand ${brand.id} is a URL: make it an asset.`);
  return logo.assetId;
}

/** @throws composition_incomplete, composition_busy */
async function qrPicture(context: DrawContext, { layer, path }: LayerAtPath<'qr'>): Promise<LayerPicture> {
  const qr: QrService | undefined = context.services.qr;
  if (qr === undefined) throw incompleteError(layer.id, path, 'This service makes no QR codes.');
  try {
    const { bytes } = await qr.renderDesign(context, layer.qrId, 'svg');
    return { kind: 'svg', source: bytes.toString() };
  } catch (error) {
    if (!isPostriderError(error)) throw error;
    if (error.code === 'qr_busy') throw busyError();
    throw incompleteError(layer.id, path, error.message, error);
  }
}

/** The pictures of these layers, by layer id. `scale`: picture pixels per canvas pixel. @throws composition_incomplete */
export async function readPictures(
  context: DrawContext,
  { layers, brand_id: brandId }: Pick<CompositionRow, 'layers' | 'brand_id'>,
  scale: number,
): Promise<ReadonlyMap<string, LayerPicture>> {
  const byAsset = new Map<string, LayerAtPath<'image' | 'logo'>[]>();
  const codes: LayerAtPath<'qr'>[] = [];
  const add = (assetId: string, placed: LayerAtPath<'image' | 'logo'>) =>
    byAsset.set(assetId, [...(byAsset.get(assetId) ?? []), placed]);
  const hasLogo = layers.some(({ kind }) => kind === 'logo');
  const brand = hasLogo
    ? await context.read(({ trx }) => context.services.brands.style(trx, brandId ?? undefined))
    : undefined;
  for (const [index, layer] of layers.entries()) {
    const path = `layers.${index}`;
    if (layer.kind === 'image') add(layer.assetId, { layer, path: `${path}.assetId` });
    if (layer.kind === 'logo') add(logoAsset(brand, { layer, path: `${path}.variant` }), { layer, path });
    if (layer.kind === 'qr') codes.push({ layer, path: `${path}.qrId` });
  }
  const pictures: [string, LayerPicture][] = [];
  // Files are read one after the other, so that only one is in memory.
  for (const [assetId, placed] of byAsset) pictures.push(...(await assetPictures(context, assetId, placed, scale)));
  for (const placed of codes) pictures.push([placed.layer.id, await qrPicture(context, placed)]);
  return new Map(pictures);
}
