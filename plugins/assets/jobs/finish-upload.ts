// Finishes an upload: waits for the bytes, claims the asset, makes a copy that the uploader cannot change, checks the copy, and copies it
// to the asset's key.
import { defineJob, type JobContext, z } from '../../../core/index.ts';
import { type AssetMetadata, acceptStored } from '../accept.ts';
import { FormatFault } from '../formats/read-format.ts';
import { assetKey, checkedKey, uploadKey } from '../keys.ts';
import { type AssetStore, isAssetStoreError } from '../port/index.ts';
import type { AssetRow } from '../tables.ts';
import { claim, findPending, markFailed, markReady, removeUnlessReady } from './settle-asset.ts';

/** The time for which the signed URL accepts the upload, in milliseconds. */
export const uploadMs = 15 * 60_000;
/** The delay of the first check, in milliseconds. A store that accepts uploads itself does not report when an upload has arrived. */
export const firstPollMs = 2_000;
const lastPollMs = 30_000;
/** The extra wait for a PUT that began before the signed URL expired, in milliseconds. */
const graceMs = 5 * 60_000;

/** Copies the upload to `copy` and checks it there. @throws FormatFault */
async function checkCopy(ctx: JobContext, store: AssetStore, row: AssetRow, copy: string): Promise<AssetMetadata> {
  const { signal } = ctx;
  await store.copy(uploadKey(ctx.workspace.id, row.id), copy, { signal }).catch((error: unknown) => {
    if (isAssetStoreError(error, 'missing')) throw new FormatFault('The upload no longer exists in the store.');
    throw error;
  });
  const copied = await store.head(copy, { signal });
  if (copied?.bytes !== row.bytes)
    throw new FormatFault(`The upload has ${copied?.bytes ?? 0} bytes, and ${row.bytes} were announced.`);
  const { metadata, isAsAnnounced } = await acceptStored(store, ctx, copy, {
    bytes: copied.bytes,
    contentType: row.content_type ?? undefined,
    sha256: row.sha256 ?? undefined,
  });
  if (!isAsAnnounced) throw new FormatFault('The upload has another sha256 than was announced.');
  return metadata;
}

/** Called if no file has arrived: enqueues another check, or gives up. */
async function checkLater(ctx: JobContext, row: AssetRow, polls: number): Promise<void> {
  const assetId = row.id;
  const now = ctx.ports.now();
  if (now > row.created_at + uploadMs + graceMs)
    return ctx.complete(async (tx) => {
      await markFailed(tx, assetId, 'Nothing was uploaded in 15 minutes.', null);
    });
  const runAt = now + Math.min(lastPollMs, firstPollMs * 2 ** polls);
  return ctx.complete(async ({ enqueue }) => {
    enqueue({ kind: 'assets.finish_upload', key: assetId, payload: { assetId, polls: polls + 1 }, runAt });
  });
}

export const finishUpload = defineJob({
  kind: 'assets.finish_upload',
  payload: z.object({ assetId: z.string(), polls: z.int() }),
  lane: 'outbound',
  timeoutMs: 900_000,
  async handler(ctx, { assetId, polls }) {
    const { signal, workspace, ports, jobId } = ctx;
    const row = await findPending(ctx, assetId);
    // Each PUT enqueues a job. The first job that finds the file claims it; retries of that job continue.
    if (row === undefined || (row.check_job_id ?? jobId) !== jobId) return;
    const store = await ports.assets.of(workspace.id);
    const upload = uploadKey(workspace.id, assetId);
    if (row.check_job_id === null && (await store.head(upload, { signal })) === undefined)
      return checkLater(ctx, row, polls);
    if (!(await ctx.checkpoint((tx) => claim(tx, assetId, jobId)))) return;
    // The copy to check has a key that no URL and no other job writes. It is copied to the asset's key only after the check.
    const copy = checkedKey(workspace.id, assetId, jobId);
    try {
      const metadata = await checkCopy(ctx, store, row, copy);
      await store.copy(copy, assetKey(workspace.id, assetId), { signal });
      const isReady = await ctx.checkpoint((tx) => markReady(tx, assetId, metadata, jobId));
      if (!isReady) await removeUnlessReady(ctx, store, assetId);
    } catch (error) {
      if (!(error instanceof FormatFault)) throw error;
      await ctx.checkpoint((tx) => markFailed(tx, assetId, error.message, jobId));
    }
    for (const key of [copy, upload]) await store.delete(key, { signal });
  },
  async exhausted(ctx, { assetId }) {
    await markFailed(ctx, assetId, 'The upload could not be checked: the store of files did not answer.');
  },
});
