// Removes the event interests of versions that are no longer used, some time after a publish.
import { defineJob, type TransactionContext, z } from '../../../core/index.ts';
import { sequenceHeads } from '../tables.ts';
import { removeInterests } from '../versions.ts';
import { removeInterestsKind } from './kinds.ts';

/**
 * The delay of the job in milliseconds. A transaction that was open during the publish may still create runs of an earlier version,
 * which wait for events.
 */
const openTransactionsMs = 150_000;

/** Schedules the job for a time when no open transaction can still begin a run of an earlier version. */
export function removeInterestsLater({ enqueue, now }: TransactionContext, sequenceId: string): void {
  enqueue({ kind: removeInterestsKind, payload: { sequenceId }, key: sequenceId, runAt: now + openTransactionsMs });
}

export const removeInterestsJob = defineJob({
  kind: removeInterestsKind,
  payload: z.object({ sequenceId: z.string() }),
  lane: 'bulk',

  handler: (ctx, { sequenceId }) =>
    ctx.complete(async ({ trx }) => {
      const sequence = await sequenceHeads.lock(trx, sequenceId);
      if (sequence !== undefined) await removeInterests(trx, sequenceId, sequence.version_id);
    }),
});
