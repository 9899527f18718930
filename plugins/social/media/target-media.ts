// Gives adapters the attachments of a post: bytes from the asset store, and signed URLs for networks that fetch files.
import type { JobContext } from '../../../core/index.ts';
import { isLoopbackUrl } from '../../../core/unstable.ts';
import type { AssetMap } from '../content/media.ts';
import { type ConvertedFile, SocialError, type SocialMedia } from '../port/index.ts';
import type { SocialPostContent } from '../schema.ts';
import { convertedFileKey, storeConvertedFile } from './converted-files.ts';

/** The largest image that an adapter reads whole, in bytes. */
const maxImageBytes = 100_000_000;

/** The time for which a URL is valid, in milliseconds. */
const urlLifetimeMs = 3_600_000;

/** @throws SocialError if the service has no URL that networks can reach */
function assertPublic({ ports }: JobContext): void {
  const { publicUrl } = ports.service;
  if (publicUrl !== undefined && !isLoopbackUrl(publicUrl)) return;
  throw new SocialError(
    'rejected',
    'This network fetches attachments by URL, and the service has no public one: set publicUrl.',
    { problem: 'setting_invalid' },
  );
}

type Asset = NonNullable<ReturnType<AssetMap['get']>>;

/** Turns errors of the asset store into `transient` ones, because nothing was sent to the network. */
async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new SocialError('transient', 'The attachment could not be read from the store.', { cause: error });
  }
}

/** Reads the attachments of one target. */
function createReader(ctx: JobContext, targetId: string) {
  const { assets } = ctx.services;
  /** The stored assets by the hash of the file, so that two simultaneous requests for a file store it once. */
  const assetsByHash = new Map<string, Promise<Asset>>();
  const urlOf = (asset: Asset): string => assets.present(ctx.workspace.id, asset, urlLifetimeMs).url ?? '';
  return {
    bytes: (asset: Asset) => withStoreErrors(() => assets.read(ctx, asset.id, maxImageBytes)),
    stream: (asset: Asset, range?: { readonly start: number; readonly end: number }) =>
      // The port's `end` is exclusive; the store's is inclusive.
      withStoreErrors(() =>
        assets.open(ctx, asset.id, range === undefined ? undefined : { start: range.start, end: range.end - 1 }),
      ),
    async url(asset: Asset, file: ConvertedFile | undefined): Promise<string> {
      assertPublic(ctx);
      if (file === undefined) return urlOf(asset);
      const fileHash = convertedFileKey(file);
      const storedAsset =
        assetsByHash.get(fileHash) ?? withStoreErrors(() => storeConvertedFile(ctx, targetId, asset.name, file));
      assetsByHash.set(fileHash, storedAsset);
      return urlOf(await storedAsset);
    },
  };
}

/** The attachments of a post, for one of its targets; undefined if an attachment no longer exists. */
export function targetMedia(
  ctx: JobContext,
  targetId: string,
  { media }: SocialPostContent,
  assetMap: AssetMap,
): SocialMedia[] | undefined {
  const reader = createReader(ctx, targetId);
  const list = media.flatMap(({ assetId, kind, alt }): SocialMedia[] => {
    const asset = assetMap.get(assetId);
    if (asset?.status !== 'ready' || asset.content_type === null) return [];
    return [
      {
        assetId,
        kind,
        contentType: asset.content_type,
        bytes: asset.bytes ?? 0,
        width: asset.width,
        height: asset.height,
        durationMs: asset.duration_ms,
        alt,
        read: () => reader.bytes(asset),
        open: (range) => reader.stream(asset, range),
        url: (file) => reader.url(asset, file),
      },
    ];
  });
  return list.length === media.length ? list : undefined;
}
