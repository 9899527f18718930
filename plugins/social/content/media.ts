// The attachments of a post: assets that are ready and have the kind that the post states.
import type { ErrorDetail, ReadContext, TransactionContext } from '../../../core/index.ts';
import type { AssetsService } from '../../assets/index.ts';
import { socialPostKindId } from '../present.ts';
import type { SocialPostContent } from '../schema.ts';

export type AssetMap = Awaited<ReturnType<AssetsService['findAll']>>;

/** The attached assets, by id. Assets that no longer exist are left out. */
export function findMedia({ services, trx }: ReadContext, { media }: SocialPostContent): Promise<AssetMap> {
  return services.assets.findAll(
    trx,
    media.map(({ assetId }) => assetId),
  );
}

/** Faults of attachments whose asset exists. */
export const mediaFaults = ({ media }: SocialPostContent, assets: AssetMap): ErrorDetail[] =>
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
  { id, content }: { readonly id: string; readonly content: Pick<SocialPostContent, 'media'> },
): Promise<void> {
  const assetIds = [...new Set(content.media.map(({ assetId }) => assetId))];
  await ctx.services.assets.use(ctx, { kind: socialPostKindId, id, isPublic: false }, assetIds);
}
