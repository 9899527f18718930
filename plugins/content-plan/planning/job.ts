// Plans the current gate of a run. The proposal is written outside a transaction, and stored and announced with an event in one.
import { defineJob, isPostriderError, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import { gateName } from '../runs/schema.ts';
import { currentGate } from '../runs/states.ts';
import { decisionMs, endRun, tellRun, withGate } from '../runs/store.ts';
import { type Gate, type RunRow, runRows } from '../runs/tables.ts';
import { nextSlots, writeCaptions } from './captions.ts';
import { planGateKind } from './kinds.ts';
import { knowledgeOf } from './knowledge.ts';
import { planSlots } from './slots.ts';
import { planThemes } from './themes.ts';

/** How long one try writes texts, in milliseconds. The next try writes the rest. */
const enoughMs = 180_000;

const order = z.object({ runId: z.string(), gate: gateName, revision: z.int() });
type Order = z.output<typeof order>;
type Proposal = NonNullable<Gate<unknown>['proposal']>;

/** Whether the run still waits for this order. */
const isWanted = (run: RunRow | undefined, { gate, revision }: Order): run is RunRow =>
  run !== undefined &&
  (run.status === 'queued' || run.status === 'planning') &&
  currentGate(run) === gate &&
  run.gates[gate]?.revisions === revision;

async function lockWanted({ trx }: TransactionContext, given: Order): Promise<RunRow | undefined> {
  const run = await runRows.lock(trx, given.runId);
  return isWanted(run, given) ? run : undefined;
}

/** Stores the proposal, which now waits for a decision. */
async function land(effects: TransactionContext, given: Order, proposal: Proposal): Promise<void> {
  const run = await lockWanted(effects, given);
  if (run === undefined) return;
  const row = await runRows.change(effects.trx, run, {
    status: 'awaiting_decision',
    gates: withGate(run.gates, given.gate, { status: 'pending', proposal }),
    drafted: [],
    error: null,
    expires_at: effects.now + decisionMs,
    updated_at: effects.now,
  });
  tellRun(effects, 'awaiting', row);
}

/** Fails the run, if it still waits for this order. */
async function fail(effects: TransactionContext, given: Order, error: string): Promise<void> {
  const run = await lockWanted(effects, given);
  if (run !== undefined) await endRun(effects, run, 'failed', error);
}

/** Writes and stores texts in batches. Returns undefined if the time of this try is over, or if the run no longer waits for them. */
async function allCaptions(
  ctx: JobContext,
  given: Order,
  run: RunRow,
  startedAt: number,
): Promise<Proposal | undefined> {
  let current: RunRow | undefined = run;
  while (current !== undefined) {
    const slots = nextSlots(current);
    if (slots.length === 0) {
      const { drafted } = current;
      return (current.gates.slots.proposal ?? []).flatMap(({ id }) => drafted.find((one) => one.id === id) ?? []);
    }
    if (ctx.ports.now() - startedAt > enoughMs) return undefined;
    const written = await writeCaptions(ctx, current, slots);
    ctx.ports.phase('content_plan.captions_written', given.runId);
    current = await ctx.checkpoint(async (effects) => {
      const row = await lockWanted(effects, given);
      if (row === undefined) return undefined;
      return runRows.change(effects.trx, row, { drafted: [...row.drafted, ...written], updated_at: effects.now });
    });
  }
  return undefined;
}

/** The proposal; undefined if another try has to continue. */
async function planned(ctx: JobContext, given: Order, run: RunRow): Promise<Proposal | undefined> {
  const now = ctx.ports.now();
  if (given.gate === 'captions') return allCaptions(ctx, given, run, now);
  const known = await knowledgeOf(ctx, run, now);
  return given.gate === 'themes' ? planThemes(ctx, run, known) : planSlots(ctx, run, known, now);
}

export const planGate = defineJob({
  kind: planGateKind,
  payload: order,
  retryDelaysMs: [10_000, 60_000],
  timeoutMs: 300_000,

  async handler(ctx, given) {
    const run = await ctx.checkpoint(async (effects) => {
      const row = await lockWanted(effects, given);
      if (row?.status !== 'queued') return row;
      return runRows.change(effects.trx, row, { status: 'planning', updated_at: effects.now });
    });
    if (run === undefined) return ctx.complete();
    let proposal: Proposal | undefined;
    try {
      proposal = await planned(ctx, given, run);
    } catch (error) {
      // After a timeout of the composer, another try may succeed.
      if (!isPostriderError(error) || error.code === 'provider_timeout') throw error;
      return ctx.complete((effects) => fail(effects, given, error.message));
    }
    if (proposal === undefined)
      return ctx.retryAt(ctx.ports.now(), 'more texts are to be written', undefined, { untried: true });
    const landed = proposal;
    await ctx.complete((effects) => land(effects, given, landed));
  },

  afterExhausted: 'The run is failed. Plan the week again: POST /v1/content-plan/runs.',

  exhausted: (effects, given, reason) => fail(effects, given, `The ${given.gate} could not be planned: ${reason}`),
});
