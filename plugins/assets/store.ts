// The statements of assets, in addition to the statements of its tables.
import type { Handle, WorkspaceHandle } from '../../core/index.ts';
import type { AssetStatus } from './tables.ts';

/** The bytes of all assets of the workspace. Pending uploads count with their announced size. */
export async function bytesOf({ db }: WorkspaceHandle): Promise<number> {
  const total = await db
    .selectFrom('assets')
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('bytes'))
    .executeTakeFirst();
  return Number(total?.bytes ?? 0);
}

/** The workspace of an asset. */
export async function findOwner({ db }: Handle, assetId: string): Promise<string | undefined> {
  const owner = await db.selectFrom('assets').select('workspace_id').where('id', '=', assetId).executeTakeFirst();
  return owner?.workspace_id;
}

/** Whether the asset is public, because at least one of its uses is. */
export async function isPublic({ db }: WorkspaceHandle, assetId: string): Promise<boolean> {
  const uses = db
    .selectFrom('asset_uses')
    .select('asset_id')
    .where('asset_id', '=', assetId)
    .where('is_public', '=', 1);
  return (await uses.limit(1).executeTakeFirst()) !== undefined;
}

export async function removeTags({ db }: WorkspaceHandle, assetId: string): Promise<void> {
  await db.deleteFrom('asset_tags').where('asset_id', '=', assetId).execute();
}

/** The assets whose ids come after `from`, up to `to`. A sweep compares them with the store. */
export async function assetsBetween(
  { db }: WorkspaceHandle,
  from: string,
  to: string | undefined,
  limit: number,
): Promise<readonly { readonly id: string; readonly status: AssetStatus; readonly updatedAt: number }[]> {
  let query = db.selectFrom('assets').select(['id', 'status', 'updated_at']).where('id', '>', from);
  if (to !== undefined) query = query.where('id', '<=', to);
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map(({ id, status, updated_at }) => ({ id, status, updatedAt: Number(updated_at) }));
}
