// Creates the posts of an approved plan, all in one transaction. Slots whose account is removed or disconnected are left out.
import { defineJob, isPostriderError, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import type { UnavailableAccount } from '../../social/index.ts';
import { applyKind } from '../planning/kinds.ts';
import { contentOf, contentOfChannels } from './content.ts';
import { emitRunEvent, endRun } from './store.ts';
import { type Caption, type PlanRunRow, runRows, type Slot } from './tables.ts';
import { atLeastOneHourAhead } from './week.ts';

const order = z.object({ runId: z.string() });

interface FilledSlot {
  readonly slot: Slot;
  readonly caption: Caption | undefined;
}

/** The slots that become posts. If the run has captions, only the slots with a caption, because people may have removed some. */
function slotsOf({ gates: { slots, captions } }: PlanRunRow): readonly FilledSlot[] {
  return (slots.proposal ?? []).flatMap((slot): readonly FilledSlot[] => {
    if (captions === null) return [{ slot, caption: undefined }];
    const caption = captions.proposal?.find(({ id }) => id === slot.id);
    return caption === undefined ? [] : [{ slot, caption }];
  });
}

async function makePosts(
  ctx: JobContext,
  tx: TransactionContext,
  run: PlanRunRow,
  slots: readonly FilledSlot[],
): Promise<PlanRunRow['results']> {
  const results: PlanRunRow['results'][number][] = [];
  for (const { slot, caption } of slots) {
    const post = await ctx.services.social.createDraft(tx, {
      mode: caption === undefined ? 'hold' : 'compose',
      content: contentOf(ctx, run, slot, caption),
      plannedAt: atLeastOneHourAhead(slot.at, tx.now),
      brief: slot.idea,
      groupId: run.id,
    });
    results.push({ kind: caption === undefined ? 'hold' : 'post', id: post.id });
  }
  return results;
}

/** The share of the price for slots whose account is still connected. Nothing is charged for the others. */
function owedFor({ price, gates: { slots } }: PlanRunRow, disconnected: ReadonlySet<string>): number {
  const allSlots = slots.proposal ?? [];
  const remaining = allSlots.filter(({ channel }) => !disconnected.has(channel)).length;
  return allSlots.length === 0 ? price : Math.round((price * remaining) / allSlots.length);
}

/** The error of a run if all its accounts are removed or disconnected. */
const noAccountError = (leftOut: readonly UnavailableAccount[]): string =>
  `No post could be made: no account of the plan is left. Connect one, then plan the week again: POST /v1/content-plan/runs. ${leftOut.map(({ message }) => message).join(' ')}`;

async function apply(ctx: JobContext, tx: TransactionContext, runId: string): Promise<void> {
  const run = await runRows.lock(tx.trx, runId);
  if (run?.status !== 'applying') return;
  const filled = slotsOf(run);
  const channels = [...new Set(filled.map(({ slot }) => slot.channel))];
  const leftOut = await ctx.services.social.unavailableAccounts(tx.trx, contentOfChannels(ctx, run, channels));
  const leftOutChannels = new Set(leftOut.map(({ channelId }) => channelId));
  const slots = filled.filter(({ slot }) => !leftOutChannels.has(slot.channel));
  if (slots.length === 0) {
    const changedRun = await runRows.change(tx.trx, run, { left_out: leftOut });
    await endRun(tx, changedRun, 'failed', noAccountError(leftOut));
    return;
  }
  const results = await makePosts(ctx, tx, run, slots);
  const owed = owedFor(run, leftOutChannels);
  // If the credit hold has expired, its credits were released, so the price is charged directly.
  if (run.hold_id !== null && !(await tx.settle(run.hold_id, owed))) await tx.charge(owed, 'content plan captions');
  const row = await runRows.change(tx.trx, run, {
    ...{ status: 'completed', results, left_out: leftOut, hold_id: null, charged: tx.sandbox ? 0 : owed },
    ...{ ended_at: tx.now, updated_at: tx.now },
  });
  emitRunEvent(tx, 'completed', row);
}

async function fail(ctx: TransactionContext, runId: string, error: string): Promise<void> {
  const run = await runRows.lock(ctx.trx, runId);
  if (run?.status === 'applying') await endRun(ctx, run, 'failed', error);
}

export const applyRun = defineJob({
  kind: applyKind,
  payload: order,
  retryDelaysMs: [10_000, 60_000],

  async handler(ctx, { runId }) {
    try {
      await ctx.complete((tx) => apply(ctx, tx, runId));
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      await ctx.complete((tx) => fail(tx, runId, error.message));
    }
  },

  afterExhausted: 'The run is failed, and no post was made. Plan the week again: POST /v1/content-plan/runs.',

  exhausted: (ctx, { runId }, reason) => fail(ctx, runId, `The posts could not be made: ${reason}`),
});
