// Pausing and archiving. Both end the running list enrolments.
import type { TransactionContext } from '../../../core/index.ts';
import { enrollListKind, exitRunsKind } from '../jobs/kinds.ts';
import { runningEnrollments } from '../store.ts';
import { enrollmentRows, type SequenceRow, sequenceRows } from '../tables.ts';

async function cancelEnrollments(effects: TransactionContext, sequenceId: string): Promise<void> {
  const { trx, now } = effects;
  for (const { id, sandbox } of await runningEnrollments(trx, sequenceId)) {
    const canceled = { status: 'canceled', finished_at: now } as const;
    await enrollmentRows.update(trx.onSide(sandbox), id, canceled, { status: 'running' });
    await effects.cancelJob({ key: id, kind: enrollListKind, sandbox });
  }
}

/** Pauses a locked, published sequence. */
export async function pauseRow(effects: TransactionContext, row: SequenceRow): Promise<SequenceRow> {
  await cancelEnrollments(effects, row.id);
  return sequenceRows.change(effects.trx, row, { status: 'paused', updated_at: effects.now });
}

/** Archives a locked sequence. A job ends its active runs. */
export async function archiveRow(effects: TransactionContext, row: SequenceRow): Promise<SequenceRow> {
  await cancelEnrollments(effects, row.id);
  for (const sandbox of effects.sandbox ? [true] : [false, true])
    effects.enqueue({ kind: exitRunsKind, payload: { sequenceId: row.id }, sandbox });
  return sequenceRows.change(effects.trx, row, { status: 'archived', start_key: null, updated_at: effects.now });
}
