// Stores a decision about a run: its row, its history, its waits, its counts, its next job and its event. All writes happen at the
// end of the transaction that holds the run's lock.

import type { TransactionContext } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import type { FinalDecision, RunState, RunStepRecord } from '../interpreter/types.ts';
import { deferStepUpdate, deferWaitRemoval } from '../store.ts';
import {
  runRows,
  type SequenceRunRow,
  type SequenceRunStatus,
  type SequenceStepRow,
  stepRows,
  waitRows,
} from '../tables.ts';
import { recordCounts, skippedFor, wholeSequence } from '../tallies.ts';
import type { LoadedVersion } from '../versions.ts';
import { type OpenRun, summaryOf } from './open-run.ts';

const beginningOrNull = (text: string | null | undefined): string | null =>
  text === undefined || text === null ? null : beginning(text, 500);

export const stepKind = 'sequences.step';

/** Node kinds that lock rows which several runs share. Their steps have transactions of their own. */
const kindsWithOwnTransaction: ReadonlySet<string> = new Set([
  'update_contact',
  'add_to_list',
  'remove_from_list',
  'enroll',
]);

const nodeOf = ({ definition }: LoadedVersion, nodeId: string) => definition.nodes.find(({ id }) => id === nodeId);

const kindOf = (version: LoadedVersion, nodeId: string): string => nodeOf(version, nodeId)?.kind ?? '';

/** Enqueues the job of a run's next step. At most one is queued: a later job replaces an earlier one. */
export function enqueueStep(
  ctx: TransactionContext,
  run: Pick<SequenceRunRow, 'id' | 'revision' | 'contact_id'>,
  at: { readonly dueAt: number; readonly apart: boolean; readonly lane?: 'bulk' },
): void {
  ctx.enqueue({
    kind: stepKind,
    payload: { runId: run.id, revision: run.revision, apart: at.apart },
    key: run.id,
    runAt: at.dueAt,
    ...(at.lane === undefined ? {} : { lane: at.lane }),
    ...(run.contact_id === null ? {} : { subject: run.contact_id }),
  });
}

/** Whether the step at this node needs a transaction of its own. */
export function needsOwnTransaction(version: LoadedVersion, nodeId: string): boolean {
  const node = nodeOf(version, nodeId);
  if (node === undefined) return false;
  // A wait for events about a send locks the send.
  return kindsWithOwnTransaction.has(node.kind) || (node.kind === 'wait_for_event' && node.ofNode !== undefined);
}

/** The types of the events that a run in this state listens to. A run without a state listens to none. */
const listenedTypes = ({ interpreter }: LoadedVersion, state: RunState | null) =>
  new Set(state === null ? [] : interpreter.listensTo(state));

/** Updates the wait rows of a run from the state before to the state after. */
export function changeWaits(
  { trx }: TransactionContext,
  version: LoadedVersion,
  run: Pick<SequenceRunRow, 'id' | 'contact_id'>,
  before: RunState | null,
  after: RunState | null,
): void {
  const { contact_id } = run;
  if (contact_id === null) return;
  const earlierTypes = listenedTypes(version, before);
  const nextTypes = listenedTypes(version, after);
  const rowOf = (type: string) => ({ contact_id, event_type: type, run_id: run.id });
  for (const type of earlierTypes) if (!nextTypes.has(type)) deferWaitRemoval(trx, rowOf(type));
  for (const type of nextTypes) if (!earlierTypes.has(type)) waitRows.deferInsert(trx, rowOf(type));
}

function writeStep({ ctx: { trx }, run, written }: OpenRun, number: number, step: RunStepRecord): void {
  const row: SequenceStepRow = {
    run_id: run.id,
    number,
    node_id: step.nodeId,
    kind: step.kind,
    status: step.status,
    at: step.at,
    due_at: step.dueAt,
    output: step.output,
    reason: beginningOrNull(step.reason),
  };
  if (run.step_open && number === run.state?.steps) deferStepUpdate(trx, row);
  else stepRows.deferInsert(trx, row);
  written.push(row);
}

/** Records that the run left its current node without its action or wait. */
function writeSkipped(opened: OpenRun, { nodeId, steps }: RunState, reason: string): void {
  const { ctx, run, version } = opened;
  const kind = kindOf(version, nodeId) as RunStepRecord['kind'];
  const common = { nodeId, kind, at: ctx.now, dueAt: null, output: null } as const;
  writeStep(opened, steps, { ...common, status: 'skipped', reason });
  recordCounts(ctx, run.sequence_id, nodeId, { waiting: -1, ...skippedFor(reason) });
}

/** Writes the last history rows of a run that ends: the step of its node, or the goal that ended the run from elsewhere. */
function writeLast(opened: OpenRun, before: RunState, { step, ending }: Extract<FinalDecision, { kind: 'end' }>): void {
  const { ctx, run } = opened;
  if (step?.nodeId === before.nodeId) {
    writeStep(opened, before.steps, step);
    recordCounts(ctx, run.sequence_id, before.nodeId, countsOfLeaving(step));
    return;
  }
  writeSkipped(opened, before, ending.reason ?? ending.status);
  if (step === null) return;
  writeStep(opened, before.steps + 1, step);
  recordCounts(ctx, run.sequence_id, step.nodeId, { reached: 1 });
}

/** The count changes for the node that the run leaves. */
const countsOfLeaving = (step: RunStepRecord | null) => ({
  waiting: -1,
  ...(step?.status === 'skipped' ? skippedFor(step.reason) : {}),
  ...(step?.status === 'failed' ? { failed: 1 } : {}),
});

/** Reports a skipped step: in the counts of the enrolment, as an event, and in the log if the step was overdue. */
function emitStepSkipped(opened: OpenRun, step: RunStepRecord): void {
  const { ctx, run, sequence } = opened;
  const { nodeId } = step;
  const { reason } = skippedFor(step.reason);
  if (run.enrollment_id !== null) recordCounts(ctx, run.sequence_id, run.enrollment_id, { skipped: 1, reason });
  const data = { run: summaryOf(opened, run), nodeId, reason };
  ctx.emit('sequence_run.step_skipped', data, run.contact_id === null ? {} : { subject: run.contact_id });
  if (reason === 'overdue') ctx.services.sequenceOverdue.skipped(ctx.log, sequence.key, ctx.now);
}

/** Stores a decision about an active run. Returns the updated run. */
export function storeDecision(opened: OpenRun, decision: FinalDecision): SequenceRunRow {
  const { ctx, run, version } = opened;
  const stateBefore = run.state;
  if (stateBefore === null) throw new Error(`The run ${run.id} is active and has no state.`);
  if (decision.step?.nodeId === stateBefore.nodeId && decision.step.status === 'skipped')
    emitStepSkipped(opened, decision.step);
  if (decision.kind === 'end') {
    writeLast(opened, stateBefore, decision);
    return endRun(opened, decision.ending.status, decision.ending.reason);
  }
  const { state } = decision;
  writeStep(opened, stateBefore.steps, decision.step);
  if (decision.kind === 'move') {
    recordCounts(ctx, run.sequence_id, stateBefore.nodeId, countsOfLeaving(decision.step));
    recordCounts(ctx, run.sequence_id, state.nodeId, { reached: 1, waiting: 1 });
  }
  changeWaits(ctx, version, run, stateBefore, state);
  const runAfter: SequenceRunRow = {
    ...run,
    node_id: state.nodeId,
    due_at: state.dueAt,
    revision: run.revision + 1,
    step_open: decision.kind === 'wait',
    state,
  };
  const { node_id, due_at, revision, step_open } = runAfter;
  runRows.deferUpdate(ctx.trx, run.id, { node_id, due_at, revision, step_open, state });
  if (state.dueAt !== null)
    enqueueStep(ctx, runAfter, { dueAt: state.dueAt, apart: needsOwnTransaction(version, state.nodeId) });
  return runAfter;
}

/** Ends a run. The caller writes the history and the counts of its node. */
function endRun(opened: OpenRun, status: Exclude<SequenceRunStatus, 'active'>, reason: string | null): SequenceRunRow {
  const { ctx, run, version } = opened;
  const { now } = ctx;
  changeWaits(ctx, version, run, run.state, null);
  const ending = {
    status,
    node_id: null,
    due_at: null,
    revision: run.revision + 1,
    step_open: false,
    state: null,
    completed_at: now,
    exit_reason: beginningOrNull(reason),
    empty_at: now,
  };
  runRows.deferUpdate(ctx.trx, run.id, ending);
  recordCounts(ctx, run.sequence_id, wholeSequence, { active: -1 });
  const runAfter = { ...run, ...ending };
  const subject = run.contact_id === null ? {} : { subject: run.contact_id };
  ctx.emit(`sequence_run.${status}`, summaryOf(opened, runAfter), subject);
  return runAfter;
}

/** Ends a run from outside its steps: marks the open step as skipped and cancels the job of the next step. */
export async function endRunEarly(
  opened: OpenRun,
  status: 'exited' | 'cancelled',
  reason: string | null,
): Promise<SequenceRunRow> {
  const { ctx, run } = opened;
  if (run.state !== null) writeSkipped(opened, run.state, reason ?? status);
  await ctx.cancelJob({ key: run.id, kind: stepKind });
  return endRun(opened, status, reason);
}
