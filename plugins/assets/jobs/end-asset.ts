// The two ends of a pending asset: its row becomes ready or failed, once. Called by the jobs.

import type { JobContext, TransactionContext } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import type { Accepted } from '../accept.ts';
import { assetKey } from '../keys.ts';
import type { AssetStore } from '../port/index.ts';
import { type AssetRow, assetRows } from '../tables.ts';

/** The asset, while it is pending. */
export async function findPending(context: JobContext, assetId: string): Promise<AssetRow | undefined> {
  const row = await context.read(({ trx }) => assetRows.find(trx, assetId));
  return row?.status === 'pending' ? row : undefined;
}

/** Whether the row changed. `jobId`: only while this job checks the upload, or none does for null. (Default: whichever job does) */
async function end(
  { trx, now }: TransactionContext,
  assetId: string,
  changes: Partial<AssetRow>,
  jobId?: string | null,
): Promise<boolean> {
  const row = await assetRows.lock(trx, assetId);
  if (row?.status !== 'pending' || (jobId !== undefined && row.checking !== jobId)) return false;
  await assetRows.change(trx, row, { ...changes, checking: null, source_url: null, updated_at: now });
  return true;
}

/**
 * Takes the upload for this job: no PUT is taken any more, and no other job checks it. A further try of the job goes on.
 * Answers whether it was free.
 */
export async function claim({ trx, now }: TransactionContext, assetId: string, jobId: string): Promise<boolean> {
  const row = await assetRows.lock(trx, assetId);
  if (row?.status !== 'pending' || (row.checking !== null && row.checking !== jobId)) return false;
  await assetRows.change(trx, row, { checking: jobId, updated_at: now });
  return true;
}

/** Answers whether the asset became ready by this. `jobId`: the job that checks the upload; null for a file that was fetched. */
export const markReady = (
  effects: TransactionContext,
  assetId: string,
  metadata: Accepted,
  jobId: string | null,
): Promise<boolean> => end(effects, assetId, { ...metadata, status: 'ready' }, jobId);

/** Answers whether the asset failed by this. `reason`: a sentence for the caller; `jobId`: as above. (Default: whichever job checks it) */
export const markFailed = (
  effects: TransactionContext,
  assetId: string,
  reason: string,
  jobId?: string | null,
): Promise<boolean> =>
  end(effects, assetId, { status: 'failed', error: beginning(reason, 500), bytes: null, sha256: null }, jobId);

/** Removes the bytes that a job wrote, where the row did not become ready: it was deleted, or failed, meanwhile. */
export async function removeUnlessReady(context: JobContext, store: AssetStore, assetId: string): Promise<void> {
  const { workspace, signal } = context;
  const row = await context.read(({ trx }) => assetRows.find(trx, assetId));
  if (row?.status !== 'ready') await store.delete(assetKey(workspace.id, assetId), { signal });
}
