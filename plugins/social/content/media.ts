// The attachments of a post: assets that are ready and have the kind that the post states.
import type { ErrorDetail, ReadContext, TransactionContext } from '../../../core/index.ts';
import type { AssetsService } from '../../assets/index.ts';
import { surfaceKind } from '../present.ts';
import type { PostContent } from '../schema.ts';

export type AssetMap = Awaited<ReturnType<AssetsService['findAll']>>;

/** The attached assets, by id. Assets that no longer exist are left out. */
export function findMedia({ services, trx }: ReadContext, { media }: PostContent): Promise<AssetMap> {
  return services.assets.findAll(
    trx,
    media.map(({ assetId }) => assetId),
  );
}

/** Faults of attachments whose asset exists. */
export const mediaFaults = ({ media }: PostContent, assets: AssetMap): ErrorDetail[] =>
  media.flatMap(({ assetId, kind }, index) => {
    const asset = assets.get(assetId);
    if (asset === undefined) return [];
    if (asset.status !== 'ready')
      return [{ path: `media.${index}.assetId`, code: 'not_ready', message: `The asset ${assetId} is not ready.` }];
    if (asset.kind === kind) return [];
    const message = `The asset ${assetId} is of the kind ${asset.kind}.`;
    return [{ path: `media.${index}.kind`, code: 'other_kind', message }];
  });

/** Records that the post uses its attachments, so that they are not deleted. @throws asset_not_found */
export async function useMedia(
  ctx: TransactionContext,
  { id, content }: { readonly id: string; readonly content: Pick<PostContent, 'media'> },
): Promise<void> {
  const assetIds = [...new Set(content.media.map(({ assetId }) => assetId))];
  await ctx.services.assets.use(ctx, { kind: surfaceKind, id, isPublic: false }, assetIds);
}
