// Makes the posts of an approved plan, all in one transaction. Slots whose account is removed or disconnected are left out.
import { defineJob, isPostriderError, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import type { GoneAccount } from '../../social/index.ts';
import { applyKind } from '../planning/kinds.ts';
import { contentOf, contentOfChannels } from './content.ts';
import { endRun, tellRun } from './store.ts';
import { type Caption, type RunRow, runRows, type Slot } from './tables.ts';
import { notPassed } from './week.ts';

const order = z.object({ runId: z.string() });

interface FilledSlot {
  readonly slot: Slot;
  readonly caption: Caption | undefined;
}

/** The slots that become posts. If the run has captions, only slots whose caption was kept. */
function slotsOf({ gates: { slots, captions } }: RunRow): readonly FilledSlot[] {
  return (slots.proposal ?? []).flatMap((slot): readonly FilledSlot[] => {
    if (captions === null) return [{ slot, caption: undefined }];
    const caption = captions.proposal?.find(({ id }) => id === slot.id);
    return caption === undefined ? [] : [{ slot, caption }];
  });
}

async function makePosts(
  ctx: JobContext,
  effects: TransactionContext,
  run: RunRow,
  slots: readonly FilledSlot[],
): Promise<RunRow['results']> {
  const results: RunRow['results'][number][] = [];
  for (const { slot, caption } of slots) {
    const post = await ctx.services.social.createDraft(effects, {
      mode: caption === undefined ? 'hold' : 'compose',
      content: contentOf(ctx, run, slot, caption),
      plannedAt: notPassed(slot.at, effects.now),
      brief: slot.idea,
      groupId: run.id,
    });
    results.push({ kind: caption === undefined ? 'hold' : 'post', id: post.id });
  }
  return results;
}

/** The share of the price for slots whose account is still connected. Nothing is charged for the others. */
function owedFor({ price, gates: { slots } }: RunRow, gone: ReadonlySet<string>): number {
  const all = slots.proposal ?? [];
  const there = all.filter(({ channel }) => !gone.has(channel)).length;
  return all.length === 0 ? price : Math.round((price * there) / all.length);
}

/** The error of a run if all its accounts are gone. */
const nothingLeft = (leftOut: readonly GoneAccount[]): string =>
  `No post could be made: no account of the plan is left. Connect one, then plan the week again: POST /v1/content-plan/runs. ${leftOut.map(({ message }) => message).join(' ')}`;

async function apply(ctx: JobContext, effects: TransactionContext, runId: string): Promise<void> {
  const run = await runRows.lock(effects.trx, runId);
  if (run?.status !== 'applying') return;
  const filled = slotsOf(run);
  const channels = [...new Set(filled.map(({ slot }) => slot.channel))];
  const leftOut = await ctx.services.social.gone(effects.trx, contentOfChannels(ctx, run, channels));
  const gone = new Set(leftOut.map(({ channelId }) => channelId));
  const slots = filled.filter(({ slot }) => !gone.has(slot.channel));
  if (slots.length === 0) {
    const told = await runRows.change(effects.trx, run, { left_out: leftOut });
    await endRun(effects, told, 'failed', nothingLeft(leftOut));
    return;
  }
  const results = await makePosts(ctx, effects, run, slots);
  const owed = owedFor(run, gone);
  // If the credit hold has expired, its credits were released, so the price is charged directly.
  if (run.hold_id !== null && !(await effects.settle(run.hold_id, owed)))
    await effects.charge(owed, 'content plan captions');
  const row = await runRows.change(effects.trx, run, {
    ...{ status: 'completed', results, left_out: leftOut, hold_id: null, charged: effects.sandbox ? 0 : owed },
    ...{ ended_at: effects.now, updated_at: effects.now },
  });
  tellRun(effects, 'completed', row);
}

async function fail(effects: TransactionContext, runId: string, error: string): Promise<void> {
  const run = await runRows.lock(effects.trx, runId);
  if (run?.status === 'applying') await endRun(effects, run, 'failed', error);
}

export const applyRun = defineJob({
  kind: applyKind,
  payload: order,
  retryDelaysMs: [10_000, 60_000],

  async handler(ctx, { runId }) {
    try {
      await ctx.complete((effects) => apply(ctx, effects, runId));
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      await ctx.complete((effects) => fail(effects, runId, error.message));
    }
  },

  afterExhausted: 'The run is failed, and no post was made. Plan the week again: POST /v1/content-plan/runs.',

  exhausted: (effects, { runId }, reason) => fail(effects, runId, `The posts could not be made: ${reason}`),
});
