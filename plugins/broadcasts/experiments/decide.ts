// Ends the sampling of an experiment: by rule as a step of the broadcast's job, or by a call. If several decide at once, the first that
// locks the broadcast wins.
import { type JobContext, type TransactionContext, toIsoTime } from '../../../core/index.ts';
import { exactDurationMs } from '../../../core/unstable.ts';
import { type BroadcastRow, broadcastRows } from '../broadcasts.ts';
import type { NextStep } from '../engine/step.ts';
import type { BroadcastStatus } from '../schema.ts';
import { auditChange, changeBroadcast, waitUntil } from '../transitions.ts';
import { compareVariants } from './compare-variants.ts';
import type { Experiment } from './schema.ts';
import { readSample, type SampleCounts } from './store.ts';

/** States in which an experiment can be decided. An experiment that samples everybody may be decided after the last mail. */
export const decidable: readonly BroadcastStatus[] = ['preparing', 'sending', 'paused', 'sent'];

/** Stores a decision. The caller must have locked the row, and its experiment must be sampling. `variant`: the choice of a person. */
export function storeDecision(
  ctx: TransactionContext,
  row: BroadcastRow,
  experiment: Experiment,
  { variants }: SampleCounts,
  variant?: string,
): Promise<BroadcastRow> {
  const { figures, winner, test, z, p } = compareVariants(variants);
  const first = experiment.variants[0]?.name ?? '';
  const decision = {
    by: variant === undefined ? ('rule' as const) : ('hand' as const),
    variant: variant ?? winner ?? first,
    at: toIsoTime(ctx.now),
    variants: [...figures],
    ...{ test, z, p },
  };
  const status = variant === undefined && winner === undefined ? 'no_winner' : 'decided';
  return changeBroadcast(ctx, row, { experiment: { ...experiment, status, decision } });
}

/** The time at which the rule decides, in milliseconds: some time after the last hand-over; at once if there was no mail. */
function decisionTime({ decidesAt, decideAfter }: Experiment, { lastHandOver }: SampleCounts, now: number): number {
  if (decidesAt !== null) return Date.parse(decidesAt);
  return lastHandOver === null ? now : lastHandOver + (exactDurationMs(decideAfter) ?? 0);
}

/**
 * Decides if the time has come, otherwise stores the time of the decision. Called once the whole sample has been handed over. Reads the
 * sample outside of the transaction.
 */
export async function decideStep(ctx: JobContext, { id, experiment: read }: BroadcastRow): Promise<NextStep> {
  if (read?.status !== 'sampling') return 0;
  const sample = await ctx.read(({ trx }) => readSample(trx, id, read));
  return ctx.checkpoint(async (tx) => {
    const row = await broadcastRows.lock(tx.trx, id);
    const experiment = row?.experiment ?? null;
    // Another process made the step, or a call has decided, paused or canceled.
    if (row === undefined || experiment?.status !== 'sampling') return 0;
    if (row.status !== 'sending' && row.status !== 'sent') return 0;
    const at = decisionTime(experiment, sample, tx.now);
    if (at > tx.now) {
      if (experiment.decidesAt === null)
        await changeBroadcast(tx, row, { experiment: { ...experiment, decidesAt: toIsoTime(at) } });
      await waitUntil(tx, id, at);
      return at;
    }
    const decided = await storeDecision(tx, row, experiment, sample);
    auditChange(tx, decided, 'decide', 'rule');
    tx.ports.phase('broadcasts.deciding', id);
    return 0;
  });
}
