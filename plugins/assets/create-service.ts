// Creates `ctx.services.assets` (service.ts), which has no state.
import {
  coreErrors,
  isPostriderError,
  type ReadContext,
  type ServiceContext,
  type TransactionContext,
  type Workspace,
} from '../../core/index.ts';
import { beginning, lockWorkspace } from '../../core/unstable.ts';
import { type AssetMetadata, acceptBytes, putBytes, readWhole, signalOf, withApiErrors } from './accept.ts';
import { errors } from './errors.ts';
import { FormatFault } from './formats/read-format.ts';
import { assetKey } from './keys.ts';
import { noStore } from './no-assets.ts';
import type { AssetsPluginOptions } from './options.ts';
import { isAssetStoreError } from './port/index.ts';
import { presentAsset, serviceUrl } from './present.ts';
import type { AssetContext, AssetsService, AssetUser, NewAsset } from './service.ts';
import { bytesOf, removeTags } from './store.ts';
import { type AssetRow, assetRows, tagRows, useRows } from './tables.ts';

const defaultReadBytes = 25 * 1_048_576;
const defaultAssetBytes = 5 * 1_073_741_824;

/** The maximum number of bytes that the assets of a workspace may have. */
export function assetBytesLimit({ limits }: AssetsPluginOptions, workspace: Workspace): number {
  const { assetBytes = defaultAssetBytes } = limits ?? {};
  return typeof assetBytes === 'function' ? assetBytes(workspace) : assetBytes;
}

/** Whether this many more bytes are within the limit. Locks the workspace, so that two calls cannot both use the remaining room. */
export async function hasRoom({ trx }: ReadContext, limit: number, bytes: number): Promise<boolean> {
  await lockWorkspace(trx);
  return (await bytesOf(trx)) + bytes <= limit;
}

/** Inserts a row with its tags. @throws limit_reached if the workspace's limit would be exceeded */
export async function insertAsset(
  ctx: TransactionContext,
  options: AssetsPluginOptions,
  row: AssetRow,
): Promise<AssetRow> {
  const { trx, workspace, now } = ctx;
  const limit = assetBytesLimit(options, workspace);
  if (!(await hasRoom(ctx, limit, row.bytes ?? 0)))
    throw coreErrors.limit_reached({ limit, resources: 'bytes of assets' });
  const inserted = await assetRows.insert(trx, row);
  for (const tag of row.tags)
    await tagRows.insert(trx, { id: ctx.newId('atg'), asset_id: row.id, tag, created_at: now });
  return inserted;
}

/**
 * Removes the row of an asset; a job removes its bytes. The caller must have locked the row and found no use of the
 * asset.
 */
export async function removeAsset({ trx, enqueue }: TransactionContext, assetId: string): Promise<void> {
  await removeTags(trx, assetId);
  await assetRows.remove(trx, assetId);
  enqueue({ kind: 'assets.remove_bytes', payload: { assetId } });
}

/** A pending row. Its bytes are not known yet. */
export const emptyAsset = (
  { sandbox, now }: Pick<TransactionContext, 'sandbox' | 'now'>,
  input: Pick<AssetRow, 'id' | 'name' | 'source' | 'alt' | 'tags'>,
): AssetRow => ({
  ...input,
  is_sandbox: sandbox,
  status: 'pending',
  kind: null,
  content_type: null,
  bytes: null,
  width: null,
  height: null,
  duration_ms: null,
  sha256: null,
  source_url: null,
  error: null,
  check_job_id: null,
  created_at: now,
  updated_at: now,
});

/** @throws asset_invalid instead of FormatFault */
export async function acceptForCaller(bytes: Uint8Array, contentType?: string) {
  try {
    return await acceptBytes(bytes, contentType);
  } catch (error) {
    if (error instanceof FormatFault) throw errors.asset_invalid({ reason: error.message });
    throw error;
  }
}

const metadataOf = ({ kind, content_type, bytes, width, height, duration_ms, sha256 }: AssetMetadata) => ({
  kind: kind ?? 'document',
  contentType: content_type ?? '',
  bytes: bytes ?? 0,
  width,
  height,
  durationMs: duration_ms,
  sha256: sha256 ?? '',
});

/**
 * Replaces the uses of a user. Assets that it already used are not checked again, so that a lost file does not block
 * its changes.
 */
async function recordUses(ctx: TransactionContext, user: AssetUser, assetIds: readonly string[]): Promise<void> {
  const { trx, now } = ctx;
  const uniqueIds = [...new Set(assetIds)].sort();
  const assetsById = new Map((await assetRows.findIn(trx, 'id', uniqueIds, 'share')).map((row) => [row.id, row]));
  const { kind: user_kind, id: user_id, isPublic: is_public } = user;
  const before = new Map<string, string>();
  for await (const rows of useRows.each(trx, { user_kind, user_id }))
    for (const use of rows) before.set(use.asset_id, use.id);
  for (const [assetId, id] of before) {
    if (!uniqueIds.includes(assetId)) await useRows.remove(trx, id);
    else await useRows.update(trx, id, { is_public });
  }
  for (const id of uniqueIds.filter((assetId) => !before.has(assetId))) {
    const row = assetsById.get(id);
    if (row === undefined) throw errors.asset_not_found({ id });
    if (row.status !== 'ready')
      throw errors.asset_invalid({ reason: `The asset ${id} is ${row.status}. Use it when it is ready.` });
    const use = { id: ctx.newId('aus'), asset_id: id, user_kind, user_id, is_public, created_at: now };
    await useRows.insert(trx, use);
  }
}

export const createAssetsService =
  (options: AssetsPluginOptions) =>
  (context: ServiceContext): AssetsService => {
    const { ports } = context;
    const open: AssetsService['open'] = async (assetContext, assetId, range) => {
      const store = await ports.assets.of(assetContext.workspace.id);
      return store.get(assetKey(assetContext.workspace.id, assetId), {
        ...signalOf(assetContext),
        ...(range === undefined ? {} : { range }),
      });
    };
    const read: AssetsService['read'] = async (assetContext, assetId, max = defaultReadBytes) =>
      readWhole(await open(assetContext, assetId), max);
    const store = async (assetContext: AssetContext, input: NewAsset) => {
      const adapter = await ports.assets.of(assetContext.workspace.id);
      const accepted = await acceptForCaller(input.bytes, input.contentType);
      const assetId = ports.ids.create('asset');
      await withApiErrors(context, adapter, () => putBytes(adapter, assetContext, assetId, accepted));
      const { name, source, tags = [], alt = '' } = input;
      return { assetId, name: beginning(name, 200), source, tags, alt, ...metadataOf(accepted.metadata) };
    };
    const add: AssetsService['add'] = (ctx, stored) => {
      const { assetId, name, source, tags, alt, durationMs, contentType, ...metadata } = stored;
      return insertAsset(ctx, options, {
        ...emptyAsset(ctx, { id: assetId, name, source, tags, alt }),
        ...metadata,
        status: 'ready',
        content_type: contentType,
        duration_ms: durationMs,
      });
    };
    return {
      hasStore: async (workspaceId) => (await ports.assets.of(workspaceId)).id !== noStore,
      async find(handle, id, lock) {
        return assetRows.findBy(handle, { id }, lock);
      },
      async findAll(handle, ids, lock) {
        return new Map((await assetRows.findIn(handle, 'id', [...new Set(ids)], lock)).map((row) => [row.id, row]));
      },
      open,
      read,
      async readForCaller(assetContext, assetId, max) {
        const adapter = await ports.assets.of(assetContext.workspace.id);
        return withApiErrors(context, adapter, async () => {
          try {
            return await read(assetContext, assetId, max);
          } catch (error) {
            if (adapter.id === noStore) throw error;
            if (isAssetStoreError(error, 'missing')) throw errors.asset_not_found({ id: assetId });
            if (isAssetStoreError(error, 'refused')) throw errors.asset_invalid({ reason: error.message });
            throw error;
          }
        });
      },
      store,
      add,
      async addWithinLimit(ctx, stored) {
        try {
          return await add(ctx, stored);
        } catch (error) {
          if (isPostriderError(error, 'limit_reached')) return undefined;
          throw error;
        }
      },
      use: recordUses,
      async remove(ctx, assetId) {
        const row = await assetRows.lock(ctx.trx, assetId);
        const [use] = await useRows.page(ctx.trx, { where: { asset_id: assetId }, limit: 1 });
        if (row !== undefined && use === undefined) await removeAsset(ctx, assetId);
      },
      present: (workspaceId, row, urlMs) => presentAsset(context, workspaceId, row, urlMs),
      mediaUrl: (assetId) => serviceUrl(context, `/media/${assetId}`),
      notFound: (id) => errors.asset_not_found({ id }),
      invalid: (reason) => errors.asset_invalid({ reason }),
    };
  };
