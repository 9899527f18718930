// The job of one step: one transaction that moves a run from one state to the next. If the process dies before the
// commit, nothing has changed; after the commit, the job of the next step exists.

import { defineJob, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import { retryDelays } from '../interpreter/types.ts';
import { runRows } from '../tables.ts';
import { recordUnknownZone } from '../zone-timeline.ts';
import { perform } from './actions/index.ts';
import { loadActivity } from './activity.ts';
import { earlierDecision, earlierGoalDecision } from './earlier-events.ts';
import { openRun } from './open-run.ts';
import { runContextOf } from './run-context.ts';
import { endRunEarly, stepKind, storeDecision } from './store-decision.ts';

/** Performs the step of a run if the run is still at this revision. Otherwise does nothing. */
export async function stepRun(ctx: TransactionContext, runId: string, revision: number): Promise<void> {
  const opened = await openRun(ctx, runId, revision);
  if (opened === undefined) return;
  const { run, sequence, version, contact } = opened;
  if (contact === undefined) return void (await endRunEarly(opened, 'exited', 'contact_erased'));
  if (sequence.status === 'archived') return void (await endRunEarly(opened, 'exited', 'archived'));
  // Resuming the sequence enqueues jobs for the steps that became due meanwhile.
  if (sequence.status === 'paused' || run.state === null) return;
  const { interpreter } = version;
  const baseContext = await runContextOf(ctx, version, contact, run);
  const runContext = {
    ...baseContext,
    did: await loadActivity({ ctx, version, contact, state: run.state }, baseContext),
  };
  await recordUnknownZone(ctx, contact);
  const decision =
    (await earlierGoalDecision(opened, run.state, runContext)) ?? interpreter.step(run.state, runContext);
  if (decision.kind !== 'act') {
    storeDecision(opened, (await earlierDecision(opened, run.state, runContext, decision)) ?? decision);
  } else {
    const outcome = await perform({ ...opened, contact, nodeId: decision.nodeId }, decision.action);
    ctx.ports.phase('sequences.acted', run.id);
    storeDecision(opened, interpreter.finish(run.state, runContext, outcome));
  }
  ctx.ports.phase('sequences.stepped', run.id);
}

/**
 * Locks the contact before the run, for steps that change the contact. Events of the contact lock in the same order, so
 * that no deadlock occurs.
 */
async function lockContact(ctx: TransactionContext, runId: string): Promise<void> {
  const run = await runRows.find(ctx.trx, runId);
  if (run === undefined || run.contact_id === null || run.status !== 'active') return;
  await ctx.services.contacts.lock(ctx.trx, [run.contact_id], 'update');
}

export const stepJob = defineJob({
  kind: stepKind,
  payload: z.object({ runId: z.string(), revision: z.int(), apart: z.boolean() }),
  retryDelaysMs: retryDelays,

  async handler(ctx: JobContext, { runId, revision, apart }) {
    if (!apart) return ctx.complete((tx) => stepRun(tx, runId, revision), { shared: true });
    return ctx.complete(async (tx) => {
      await lockContact(tx, runId);
      await stepRun(tx, runId, revision);
    });
  },
  // The step failed without an outcome, for example because the database refuses its rows.
  async exhausted(ctx, { runId, revision }, reason) {
    ctx.enqueue({ kind: failKind, payload: { runId, revision, reason: beginning(reason, 500) } });
  },
});

const failKind = 'sequences.fail_step';

/** Ends a step that failed too often. The run continues along the edge `failed` if the node has one. */
export const failStepJob = defineJob({
  kind: failKind,
  payload: z.object({ runId: z.string(), revision: z.int(), reason: z.string() }),

  handler: (ctx, { runId, revision, reason }) =>
    ctx.complete(async (tx) => {
      const opened = await openRun(tx, runId, revision);
      if (opened?.contact === undefined || opened.run.state === null) return;
      const { run, version, contact } = opened;
      const runContext = await runContextOf(tx, version, contact, run);
      storeDecision(
        opened,
        version.interpreter.finish(opened.run.state, runContext, { kind: 'failed', reason, final: true }),
      );
    }),
});
