// Plans the current gate of a run. The proposal is written outside a transaction. One transaction then stores it and emits the event.
import { defineJob, isPostriderError, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import { gateName } from '../runs/schema.ts';
import { currentGate } from '../runs/states.ts';
import { decisionMs, emitRunEvent, endRun, withGate } from '../runs/store.ts';
import { type PlanGate, type PlanRunRow, runRows } from '../runs/tables.ts';
import { nextSlots, writeCaptions } from './captions.ts';
import { planGateKind } from './kinds.ts';
import { knowledgeOf } from './knowledge.ts';
import { planSlots } from './slots.ts';
import { planThemes } from './themes.ts';

/** The time in which one attempt writes texts, in milliseconds. The next attempt writes the remaining texts. */
const writingMs = 180_000;

const jobPayload = z.object({ runId: z.string(), gate: gateName, revision: z.int() });
type Order = z.output<typeof jobPayload>;
type Proposal = NonNullable<PlanGate<unknown>['proposal']>;

/** Whether the run still waits for the proposal that this job was enqueued for. */
const isWanted = (run: PlanRunRow | undefined, { gate, revision }: Order): run is PlanRunRow =>
  run !== undefined &&
  (run.status === 'queued' || run.status === 'planning') &&
  currentGate(run) === gate &&
  run.gates[gate]?.revisions === revision;

async function lockWanted({ trx }: TransactionContext, order: Order): Promise<PlanRunRow | undefined> {
  const run = await runRows.lock(trx, order.runId);
  return isWanted(run, order) ? run : undefined;
}

/** Stores the proposal, which now waits for a decision. */
async function storeProposal(ctx: TransactionContext, order: Order, proposal: Proposal): Promise<void> {
  const run = await lockWanted(ctx, order);
  if (run === undefined) return;
  const row = await runRows.change(ctx.trx, run, {
    status: 'awaiting_decision',
    gates: withGate(run.gates, order.gate, { status: 'pending', proposal }),
    drafted: [],
    error: null,
    expires_at: ctx.now + decisionMs,
    updated_at: ctx.now,
  });
  emitRunEvent(ctx, 'awaiting', row);
}

/** Fails the run, if it still waits for the proposal of this job. */
async function fail(ctx: TransactionContext, order: Order, error: string): Promise<void> {
  const run = await lockWanted(ctx, order);
  if (run !== undefined) await endRun(ctx, run, 'failed', error);
}

/** Writes and stores texts in batches. Returns undefined if the time of this attempt is over, or if the run no longer waits for them. */
async function allCaptions(
  ctx: JobContext,
  order: Order,
  run: PlanRunRow,
  startedAt: number,
): Promise<Proposal | undefined> {
  let current: PlanRunRow | undefined = run;
  while (current !== undefined) {
    const slots = nextSlots(current);
    if (slots.length === 0) {
      const { drafted } = current;
      return (current.gates.slots.proposal ?? []).flatMap(
        ({ id }) => drafted.find((caption) => caption.id === id) ?? [],
      );
    }
    if (ctx.ports.now() - startedAt > writingMs) return undefined;
    const writtenCaptions = await writeCaptions(ctx, current, slots);
    ctx.ports.phase('content_plan.captions_written', order.runId);
    current = await ctx.checkpoint(async (tx) => {
      const row = await lockWanted(tx, order);
      if (row === undefined) return undefined;
      return runRows.change(tx.trx, row, {
        drafted: [...row.drafted, ...writtenCaptions],
        updated_at: tx.now,
      });
    });
  }
  return undefined;
}

/** The proposal; undefined if another attempt has to continue. */
async function proposalFor(ctx: JobContext, order: Order, run: PlanRunRow): Promise<Proposal | undefined> {
  const now = ctx.ports.now();
  if (order.gate === 'captions') return allCaptions(ctx, order, run, now);
  const knowledge = await knowledgeOf(ctx, run, now);
  return order.gate === 'themes' ? planThemes(ctx, run, knowledge) : planSlots(ctx, run, knowledge, now);
}

export const planGate = defineJob({
  kind: planGateKind,
  payload: jobPayload,
  retryDelaysMs: [10_000, 60_000],
  timeoutMs: 300_000,

  async handler(ctx, jobOrder) {
    const run = await ctx.checkpoint(async (tx) => {
      const row = await lockWanted(tx, jobOrder);
      if (row?.status !== 'queued') return row;
      return runRows.change(tx.trx, row, { status: 'planning', updated_at: tx.now });
    });
    if (run === undefined) return ctx.complete();
    let proposal: Proposal | undefined;
    try {
      proposal = await proposalFor(ctx, jobOrder, run);
    } catch (error) {
      // After a timeout of the composer, another attempt may succeed.
      if (!isPostriderError(error) || error.code === 'provider_timeout') throw error;
      return ctx.complete((tx) => fail(tx, jobOrder, error.message));
    }
    if (proposal === undefined)
      return ctx.retryAt(ctx.ports.now(), 'more texts are to be written', undefined, { untried: true });
    const newProposal = proposal;
    await ctx.complete((tx) => storeProposal(tx, jobOrder, newProposal));
  },

  afterExhausted: 'The run is failed. Plan the week again: POST /v1/content-plan/runs.',

  exhausted: (ctx, jobOrder, reason) => fail(ctx, jobOrder, `The ${jobOrder.gate} could not be planned: ${reason}`),
});
