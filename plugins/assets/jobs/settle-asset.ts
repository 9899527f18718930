// Settles a pending asset: its row becomes ready or failed, once. Called by the jobs.

import type { JobContext, TransactionContext } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import type { AssetMetadata } from '../accept.ts';
import { assetKey } from '../keys.ts';
import type { AssetStore } from '../port/index.ts';
import { type AssetRow, assetRows } from '../tables.ts';

/** The asset if it is pending. */
export async function findPending(ctx: JobContext, assetId: string): Promise<AssetRow | undefined> {
  const row = await ctx.read(({ trx }) => assetRows.find(trx, assetId));
  return row?.status === 'pending' ? row : undefined;
}

/**
 * Sets the final status of a pending asset, and returns whether the row changed. `claimedBy`: the id of the job that must hold the claim on
 * the upload; null: no job may hold it. (Default: any)
 */
async function settle(
  { trx, now }: TransactionContext,
  assetId: string,
  changes: Partial<AssetRow>,
  claimedBy?: string | null,
): Promise<boolean> {
  const row = await assetRows.lock(trx, assetId);
  if (row?.status !== 'pending' || (claimedBy !== undefined && row.check_job_id !== claimedBy)) return false;
  await assetRows.change(trx, row, { ...changes, check_job_id: null, source_url: null, updated_at: now });
  return true;
}

/**
 * Claims the upload for this job: no PUT is accepted any more, and no other job checks it. A retry of the same job claims it again.
 * Returns whether the job has the claim.
 */
export async function claim({ trx, now }: TransactionContext, assetId: string, jobId: string): Promise<boolean> {
  const row = await assetRows.lock(trx, assetId);
  if (row?.status !== 'pending' || (row.check_job_id !== null && row.check_job_id !== jobId)) return false;
  await assetRows.change(trx, row, { check_job_id: jobId, updated_at: now });
  return true;
}

/** Marks the asset as ready, and returns whether its row changed. `jobId`: the job that checks the upload; null for a fetched file. */
export const markReady = (
  ctx: TransactionContext,
  assetId: string,
  metadata: AssetMetadata,
  jobId: string | null,
): Promise<boolean> => settle(ctx, assetId, { ...metadata, status: 'ready' }, jobId);

/**
 * Marks the asset as failed, and returns whether its row changed. `reason`: a sentence for the caller. `claimedBy`: the
 * id of the job that must hold the claim on the upload; null: no job may hold it. (Default: any)
 */
export const markFailed = (
  ctx: TransactionContext,
  assetId: string,
  reason: string,
  claimedBy?: string | null,
): Promise<boolean> =>
  settle(ctx, assetId, { status: 'failed', error: beginning(reason, 500), bytes: null, sha256: null }, claimedBy);

/** Removes the bytes that a job wrote if the row is not ready, because it was deleted or failed meanwhile. */
export async function removeUnlessReady(ctx: JobContext, store: AssetStore, assetId: string): Promise<void> {
  const { workspace, signal } = ctx;
  const row = await ctx.read(({ trx }) => assetRows.find(trx, assetId));
  if (row?.status !== 'ready') await store.delete(assetKey(workspace.id, assetId), { signal });
}
