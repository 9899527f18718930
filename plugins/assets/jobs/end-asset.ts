// Ends a pending asset: its row becomes ready or failed, once. Called by the jobs.

import type { JobContext, TransactionContext } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import type { Accepted } from '../accept.ts';
import { assetKey } from '../keys.ts';
import type { AssetStore } from '../port/index.ts';
import { type AssetRow, assetRows } from '../tables.ts';

/** The asset if it is pending. */
export async function findPending(context: JobContext, assetId: string): Promise<AssetRow | undefined> {
  const row = await context.read(({ trx }) => assetRows.find(trx, assetId));
  return row?.status === 'pending' ? row : undefined;
}

/**
 * Ends a pending asset, and returns whether the row changed. `jobId`: the row changes only if this job checks the upload; null: only if no
 * job does. (Default: whichever job does)
 */
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
 * Claims the upload for this job: no PUT is accepted any more, and no other job checks it. A retry of the same job claims it again.
 * Returns whether the job has the claim.
 */
export async function claim({ trx, now }: TransactionContext, assetId: string, jobId: string): Promise<boolean> {
  const row = await assetRows.lock(trx, assetId);
  if (row?.status !== 'pending' || (row.checking !== null && row.checking !== jobId)) return false;
  await assetRows.change(trx, row, { checking: jobId, updated_at: now });
  return true;
}

/** Marks the asset as ready, and returns whether its row changed. `jobId`: the job that checks the upload; null for a fetched file. */
export const markReady = (
  effects: TransactionContext,
  assetId: string,
  metadata: Accepted,
  jobId: string | null,
): Promise<boolean> => end(effects, assetId, { ...metadata, status: 'ready' }, jobId);

/**
 * Marks the asset as failed, and returns whether its row changed. `reason`: a sentence for the caller. `jobId`: as for `markReady`.
 * (Default: whichever job checks it)
 */
export const markFailed = (
  effects: TransactionContext,
  assetId: string,
  reason: string,
  jobId?: string | null,
): Promise<boolean> =>
  end(effects, assetId, { status: 'failed', error: beginning(reason, 500), bytes: null, sha256: null }, jobId);

/** Removes the bytes that a job wrote if the row is not ready, because it was deleted or failed meanwhile. */
export async function removeUnlessReady(context: JobContext, store: AssetStore, assetId: string): Promise<void> {
  const { workspace, signal } = context;
  const row = await context.read(({ trx }) => assetRows.find(trx, assetId));
  if (row?.status !== 'ready') await store.delete(assetKey(workspace.id, assetId), { signal });
}
