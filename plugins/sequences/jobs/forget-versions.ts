// Some time after a publish: ends the interest in events of versions that nothing uses any more.
import { defineJob, type TransactionContext, z } from '../../../core/index.ts';
import { sequenceHeads } from '../tables.ts';
import { hearNoMore } from '../versions.ts';
import { forgetVersionsKind } from './kinds.ts';

/** A transaction that was open at the publish may still store runs of an earlier version, which wait for events. */
const openTransactionsMs = 150_000;

/** Has the versions before the published one forgotten, once no transaction can begin a run of theirs. */
export function forgetVersionsLater({ enqueue, now }: TransactionContext, sequenceId: string): void {
  enqueue({ kind: forgetVersionsKind, payload: { sequenceId }, key: sequenceId, runAt: now + openTransactionsMs });
}

export const forgetVersionsJob = defineJob({
  kind: forgetVersionsKind,
  payload: z.object({ sequenceId: z.string() }),
  lane: 'bulk',

  handler: (ctx, { sequenceId }) =>
    ctx.complete(async ({ trx }) => {
      const sequence = await sequenceHeads.lock(trx, sequenceId);
      if (sequence !== undefined) await hearNoMore(trx, sequenceId, sequence.version_id);
    }),
});
