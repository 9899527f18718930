// Finishes an upload: waits for the bytes, claims the asset, makes a copy that the uploader cannot change, checks the copy, and copies it
// to the asset's key.
import { defineJob, type JobContext, z } from '../../../core/index.ts';
import { type Accepted, acceptStored } from '../accept.ts';
import { FormatFault } from '../formats/read-format.ts';
import { assetKey, checkedKey, uploadKey } from '../keys.ts';
import { type AssetStore, isAssetStoreError } from '../port/index.ts';
import type { AssetRow } from '../tables.ts';
import { claim, findPending, markFailed, markReady, removeUnlessReady } from './end-asset.ts';

/** How long the signed URL accepts the upload, in milliseconds. */
export const uploadMs = 15 * 60_000;
/** The delay of the first check, in milliseconds. A store that accepts uploads itself does not report when an upload has arrived. */
export const firstPollMs = 2_000;
const lastPollMs = 30_000;
/** The extra wait for a PUT that began before the signed URL expired, in milliseconds. */
const graceMs = 5 * 60_000;

/** Copies the upload to `copy` and checks it there. @throws FormatFault */
async function check(context: JobContext, store: AssetStore, row: AssetRow, copy: string): Promise<Accepted> {
  const { signal } = context;
  await store.copy(uploadKey(context.workspace.id, row.id), copy, { signal }).catch((error: unknown) => {
    if (isAssetStoreError(error, 'missing')) throw new FormatFault('The upload is gone from the store.');
    throw error;
  });
  const found = await store.head(copy, { signal });
  if (found?.bytes !== row.bytes)
    throw new FormatFault(`The upload has ${found?.bytes ?? 0} bytes, and ${row.bytes} were announced.`);
  const { metadata, isAsAnnounced } = await acceptStored(store, context, copy, {
    bytes: found.bytes,
    contentType: row.content_type ?? undefined,
    sha256: row.sha256 ?? undefined,
  });
  if (!isAsAnnounced) throw new FormatFault('The upload has another sha256 than was announced.');
  return metadata;
}

/** Called if nothing has arrived: enqueues another check, or gives up. */
async function waitOn(context: JobContext, row: AssetRow, polls: number): Promise<void> {
  const assetId = row.id;
  const now = context.ports.now();
  if (now > row.created_at + uploadMs + graceMs)
    return context.complete(async (effects) => {
      await markFailed(effects, assetId, 'Nothing was uploaded in 15 minutes.', null);
    });
  const runAt = now + Math.min(lastPollMs, firstPollMs * 2 ** polls);
  return context.complete(async ({ enqueue }) => {
    enqueue({ kind: 'assets.finish_upload', key: assetId, payload: { assetId, polls: polls + 1 }, runAt });
  });
}

export const finishUpload = defineJob({
  kind: 'assets.finish_upload',
  payload: z.object({ assetId: z.string(), polls: z.int() }),
  lane: 'outbound',
  timeoutMs: 900_000,
  async handler(context, { assetId, polls }) {
    const { signal, workspace, ports, jobId } = context;
    const row = await findPending(context, assetId);
    // Each PUT enqueues a job. The first job that finds the file claims it; retries of that job continue.
    if (row === undefined || (row.checking ?? jobId) !== jobId) return;
    const store = await ports.assets.of(workspace.id);
    const upload = uploadKey(workspace.id, assetId);
    if (row.checking === null && (await store.head(upload, { signal })) === undefined)
      return waitOn(context, row, polls);
    if (!(await context.checkpoint((effects) => claim(effects, assetId, jobId)))) return;
    // The copy to check has a key that no URL and no other job writes. It is copied to the asset's key only after the check.
    const copy = checkedKey(workspace.id, assetId, jobId);
    try {
      const metadata = await check(context, store, row, copy);
      await store.copy(copy, assetKey(workspace.id, assetId), { signal });
      const isReady = await context.checkpoint((effects) => markReady(effects, assetId, metadata, jobId));
      if (!isReady) await removeUnlessReady(context, store, assetId);
    } catch (error) {
      if (!(error instanceof FormatFault)) throw error;
      await context.checkpoint((effects) => markFailed(effects, assetId, error.message, jobId));
    }
    for (const key of [copy, upload]) await store.delete(key, { signal });
  },
  async exhausted(effects, { assetId }) {
    await markFailed(effects, assetId, 'The upload could not be checked: the store of files did not answer.');
  },
});
