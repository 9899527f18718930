// The only job of a broadcast: begins it at its time, stores its audience, accepts its mails, decides its experiment, and cancels its rest.
// Each step is a transaction that locks the broadcast and stores when the next step is due, so that no step overtakes a call that changes
// the broadcast.
import { defineJob, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import type { GroupSize } from '../../../core/unstable.ts';
import { type BroadcastRow, broadcastRows } from '../broadcasts.ts';
import { acceptStep, createBatchSize } from '../engine/accept.ts';
import { cancelStep } from '../engine/cancel.ts';
import { prepareStep } from '../engine/prepare.ts';
import type { NextStep, ReadingStep } from '../engine/step.ts';
import { decideStep } from '../experiments/decide.ts';
import { auditChange, changeBroadcast, emitChange, finalStates, overdueMs, pause, waitUntil } from '../transitions.ts';
import { advanceKind } from './kinds.ts';

/** The time for which one job works before other jobs get their turn, in milliseconds. */
const turnMs = 10_000;

const hoursLate = (row: BroadcastRow, now: number): number => Math.floor((now - (row.next_at ?? now)) / 3_600_000);

/** Begins a scheduled broadcast whose time has come. */
async function begin(ctx: TransactionContext, row: BroadcastRow): Promise<NextStep> {
  if (row.due_at !== null && row.due_at > ctx.now) return row.due_at;
  const begun = await changeBroadcast(ctx, row, { status: 'preparing', started_at: ctx.now });
  await emitChange(ctx, begun, 'started');
  auditChange(ctx, begun, 'start');
  return 0;
}

/** Pauses a broadcast whose job runs much later than planned: its mail may be out of date. Returns whether it is. */
async function isOverdue(ctx: TransactionContext, row: BroadcastRow): Promise<boolean> {
  const isWorking = row.status === 'scheduled' || row.status === 'preparing' || row.status === 'sending';
  if (!isWorking || row.next_at === null || ctx.now - row.next_at <= overdueMs) return false;
  const error = `The service was down or suspended, and the next mail would leave ${hoursLate(row, ctx.now)} hours late. Resume if it is still useful, or cancel.`;
  auditChange(ctx, await pause(ctx, row, 'overdue', error), 'pause', 'overdue');
  return true;
}

/** A step within one transaction. */
async function stepOf(
  ctx: TransactionContext,
  row: BroadcastRow,
  batchSize: GroupSize,
): Promise<NextStep | ReadingStep> {
  if (row.status === 'scheduled') return begin(ctx, row);
  if (row.status === 'sending') return acceptStep(ctx, row, batchSize);
  if (row.status === 'canceled') return cancelStep(ctx, row);
  if (row.status === 'preparing') return 'prepare';
  // Everybody was in the sample, so the experiment only reports its result.
  return row.status === 'sent' && row.experiment?.status === 'sampling' ? 'decide' : null;
}

const readingSteps: Readonly<
  Record<ReadingStep, (ctx: JobContext, row: BroadcastRow, mayGoOn: () => boolean) => Promise<NextStep>>
> = {
  prepare: prepareStep,
  decide: decideStep,
};

/** Locks the broadcast and makes a step. If the next step is later, its job is enqueued in the same transaction. */
function makeStep(
  ctx: JobContext,
  id: string,
  isFirst: boolean,
  batchSize: GroupSize,
): Promise<NextStep | ReadingStep> {
  return ctx.checkpoint(async (tx) => {
    const row = await broadcastRows.lock(tx.trx, id);
    if (row === undefined || (isFirst && (await isOverdue(tx, row)))) return null;
    const next = await stepOf(tx, row, batchSize);
    if (typeof next === 'number' && next > 0) await waitUntil(tx, id, next);
    return next;
  });
}

export const advanceJob = defineJob({
  kind: advanceKind,
  payload: z.object({ broadcastId: z.string() }),
  lane: 'bulk',
  timeoutMs: 120_000,

  async handler(ctx, { broadcastId: id }) {
    const until = ctx.ports.now() + turnMs;
    const began = performance.now();
    const batchSize = createBatchSize();
    const mayGoOn = (): boolean => ctx.ports.now() < until && performance.now() - began < turnMs;
    for (let isFirst = true; ; isFirst = false) {
      ctx.signal.throwIfAborted();
      let next = await makeStep(ctx, id, isFirst, batchSize);
      ctx.ports.phase('broadcasts.stepped', id);
      if (typeof next === 'string') {
        const step = readingSteps[next];
        const row = await ctx.read(({ trx }) => broadcastRows.find(trx, id));
        next = row === undefined ? null : await step(ctx, row, mayGoOn);
      }
      if (next !== 0) return ctx.complete();
      if (mayGoOn()) continue;
      return ctx.complete(async (tx) => {
        const row = await broadcastRows.lock(tx.trx, id);
        if (row !== undefined) await waitUntil(tx, id, tx.now);
      });
    }
  },

  async exhausted(ctx, { broadcastId: id }) {
    const row = await broadcastRows.lock(ctx.trx, id);
    if (row === undefined || row.status === 'paused' || finalStates.has(row.status)) return;
    const error = 'The broadcast could not go on: the log of the service says why. Resume to try again.';
    auditChange(ctx, await pause(ctx, row, 'error', error), 'pause', 'error');
  },
});
