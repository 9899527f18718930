// Reads a logo from the asset library: checks its bytes, then decodes it into pixels. Bytes are read outside of any transaction.
import { isPostriderError, type ReadContext, type ServiceContext } from '../../../core/index.ts';
import { PictureError, type PictureLimits } from '../../../core/unstable.ts';
import type { AssetsService } from '../../assets/service.ts';
import { errors } from '../errors.ts';
import { withPictures } from '../packages.ts';
import type { Pixels } from '../painter/drawing.ts';
import { detectPicture } from './detect-picture.ts';
import { svgFault } from './svg-check.ts';

/** The maximum number of bytes and the largest side of a logo. */
export const maxLogoBytes = 2_000_000;
const maxSide = 4_096;
/** The larger side of the logo in the code, in pixels. */
const drawnPixels = 512;

/** The context in which a logo is read: the services, and the fields of `AssetContext`. */
interface LogoContext extends ServiceContext {
  readonly workspace: { readonly id: string };
  readonly signal?: AbortSignal | undefined;
}

/** The caller of the picture process. */
export const callerOf = ({ workspace, signal }: Pick<LogoContext, 'workspace' | 'signal'>): PictureLimits => ({
  workspaceId: workspace.id,
  signal,
});

/** The asset library. @throws qr_assets_missing if the assets plugin is not composed */
export function assetsOf({ services }: ServiceContext): AssetsService {
  const assets = services.assets as AssetsService | undefined;
  if (assets === undefined) throw errors.qr_assets_missing();
  return assets;
}

const logoInvalid = (reason: string, cause?: unknown) =>
  errors.qr_logo_invalid(
    { reason },
    { cause, details: [{ path: 'style.logoAssetId', code: 'qr_logo_invalid', message: reason }] },
  );

/** Checks the asset of a logo, without its bytes. @throws qr_logo_invalid, qr_assets_missing */
export async function findLogo(ctx: ReadContext, assetId: string): Promise<void> {
  const row = await assetsOf(ctx).find(ctx.trx, assetId);
  if (row === undefined) throw logoInvalid(`There is no asset ${assetId}. GET /v1/assets lists the existing ones.`);
  if (row.status !== 'ready') throw logoInvalid('The asset is not ready yet.');
  if (row.kind !== 'image') throw logoInvalid('The asset is not a picture.');
  if ((row.bytes ?? 0) > maxLogoBytes) throw logoInvalid(`A logo has at most ${maxLogoBytes / 1_000_000} MB.`);
}

/** The reason why these bytes cannot be a logo; undefined if they can. */
export function logoFault(bytes: Uint8Array): string | undefined {
  if (bytes.length > maxLogoBytes) return `A logo has at most ${maxLogoBytes / 1_000_000} MB.`;
  const picture = detectPicture(bytes);
  if (picture === undefined) return 'Give a PNG, JPEG, WebP or SVG picture.';
  if (picture.kind === 'svg') return svgFault(bytes);
  const { width, height } = picture;
  if (width < 1 || height < 1 || width > maxSide || height > maxSide) return `A logo is at most ${maxSide} px a side.`;
  return undefined;
}

/** The pixels of a logo's bytes. @throws qr_logo_invalid, qr_busy, qr_renderer_missing */
export async function logoPixels(bytes: Uint8Array, caller: PictureLimits = {}): Promise<Pixels> {
  const fault = logoFault(bytes);
  if (fault !== undefined) throw logoInvalid(fault);
  const work = {
    maxPixels: maxSide * maxSide,
    isUpright: true,
    size: { width: drawnPixels, height: drawnPixels, fit: 'inside' },
    colours: 'srgb',
    alpha: 'add',
  } as const;
  try {
    const png = await withPictures((desk) => desk.draw(bytes, { ...work, format: { kind: 'png' } }, caller));
    const pixels = await withPictures((desk) => desk.draw(png.bytes, { ...work, format: { kind: 'raw' } }, caller));
    return { width: pixels.width, height: pixels.height, rgba: new Uint8Array(pixels.bytes), png: png.bytes };
  } catch (error) {
    if (!(error instanceof PictureError)) throw error;
    throw logoInvalid(error.message, error);
  }
}

/** Reads the logo of a style. @throws qr_logo_invalid, qr_assets_missing, asset_store_unavailable */
export async function readLogo(context: LogoContext, assetId: string | null): Promise<Pixels | undefined> {
  if (assetId === null) return undefined;
  const { workspace, signal } = context;
  const bytes = await assetsOf(context)
    .readForCaller({ workspace, ...(signal === undefined ? {} : { signal }) }, assetId, maxLogoBytes)
    .catch((error: unknown) => {
      if (!isPostriderError(error)) throw error;
      if (error.code === 'asset_not_found' || error.code === 'asset_invalid') throw logoInvalid(error.message, error);
      throw error;
    });
  return logoPixels(bytes, callerOf(context));
}
