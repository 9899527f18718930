// Pausing and archiving. Both end the running list enrolments.
import type { TransactionContext } from '../../../core/index.ts';
import { enrollListKind, exitRunsKind } from '../jobs/kinds.ts';
import { runningEnrollments } from '../store.ts';
import { enrollmentRows, type SequenceRow, sequenceRows } from '../tables.ts';
import { updateWatches } from '../versions.ts';

async function cancelEnrollments(ctx: TransactionContext, sequenceId: string): Promise<void> {
  const { trx, now } = ctx;
  for (const { id, sandbox } of await runningEnrollments(trx, sequenceId)) {
    const canceled = { status: 'canceled', finished_at: now } as const;
    await enrollmentRows.update(trx.onSide(sandbox), id, canceled, { status: 'running' });
    await ctx.cancelJob({ key: id, kind: enrollListKind, sandbox });
  }
}

/** Pauses a locked, published sequence. */
export async function pauseRow(ctx: TransactionContext, row: SequenceRow): Promise<SequenceRow> {
  await cancelEnrollments(ctx, row.id);
  return sequenceRows.change(ctx.trx, row, { status: 'paused', updated_at: ctx.now });
}

/** Archives a locked sequence. A job ends its active runs. */
export async function archiveRow(ctx: TransactionContext, row: SequenceRow): Promise<SequenceRow> {
  await cancelEnrollments(ctx, row.id);
  for (const sandbox of ctx.sandbox ? [true] : [false, true])
    ctx.enqueue({ kind: exitRunsKind, payload: { sequenceId: row.id }, sandbox });
  const archived = { status: 'archived', start_key: null, updated_at: ctx.now } as const;
  const after = await sequenceRows.change(ctx.trx, row, archived);
  await updateWatches(ctx);
  return after;
}
