// The two ends of a build: a success replaces the text; a failure keeps the text and stores the reason. Called by the jobs, in
// their transactions.
import type { TransactionContext } from '../../../core/index.ts';
import { outlineOf, textHash } from '../content.ts';
import { showSummary } from '../present.ts';
import { type Chapter, composePrice } from '../schema.ts';
import { type LeadMagnetRow, leadMagnetRows } from '../tables.ts';
import { endBuildKind } from './kinds.ts';

/** Locks the lead magnet. Returns undefined if this build no longer runs. */
export async function lockBuild(
  { trx }: TransactionContext,
  id: string,
  buildId: string,
): Promise<LeadMagnetRow | undefined> {
  const row = await leadMagnetRows.lock(trx, id);
  return row?.build?.id === buildId ? row : undefined;
}

/** Ends a successful build: the lead magnet becomes ready. */
export async function completeBuild(
  ctx: TransactionContext,
  row: LeadMagnetRow,
  chapters: readonly Chapter[],
): Promise<void> {
  const { trx, now } = ctx;
  const { id, build } = row;
  const total = 1 + chapters.length;
  const changed = await leadMagnetRows.change(trx, row, {
    ...{ chapters, outline: outlineOf(chapters), text_hash: textHash({ ...row, chapters }) },
    ...{ status: 'ready', build: null, error: null, updated_at: now },
    progress: { phase: 'done', done: total, total },
  });
  if (build?.holdId != null) await ctx.settle(build.holdId, composePrice);
  await ctx.cancelJob({ key: id, kind: endBuildKind });
  ctx.emit('lead_magnet.ready', await showSummary(ctx, changed));
}

/** Ends a failed build: the previous content stays, and the reserved credits are released. */
export async function failBuild(ctx: TransactionContext, row: LeadMagnetRow, reason: string): Promise<void> {
  const { trx, now } = ctx;
  const { id, build, progress } = row;
  const isReady = build?.before === 'ready';
  const changed = await leadMagnetRows.change(trx, row, {
    ...{ status: isReady ? 'ready' : 'failed', build: null, error: reason, updated_at: now },
    progress: isReady && progress !== null ? { ...progress, phase: 'done', done: progress.total } : progress,
  });
  if (build?.holdId != null) await ctx.release(build.holdId);
  await ctx.cancelJob({ key: id, kind: endBuildKind });
  ctx.emit('lead_magnet.failed', await showSummary(ctx, changed));
}
