// Finds, locks, changes and ends runs.

import { coreErrors, type TransactionContext, type WorkspaceHandle } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { presentRun } from './present.ts';
import { currentGate, unfinished } from './states.ts';
import { type GateName, type PlanGate, type PlanGates, type PlanRunRow, runRows } from './tables.ts';

/** The time in which a run waits for a decision, in milliseconds. */
export const decisionMs = 14 * 86_400_000;

/** Locks the row of a run until the transaction ends. @throws plan_run_not_found */
export async function lockRun(handle: WorkspaceHandle, id: string): Promise<PlanRunRow> {
  const row = await runRows.lock(handle, id);
  if (row === undefined) throw errors.plan_run_not_found({ id });
  return row;
}

/** The unfinished run of a week. The caller must have locked the workspace. */
export async function runOfWeek(handle: WorkspaceHandle, weekOf: string): Promise<PlanRunRow | undefined> {
  for (const status of unfinished) {
    const [row] = await runRows.page(handle, { where: { week_of: weekOf, status }, limit: 1 });
    if (row !== undefined) return row;
  }
  return undefined;
}

/** The error for a decision that the run does not wait for. */
export function notWaitingError(run: PlanRunRow, gate: GateName) {
  const waiting = currentGate(run);
  const next =
    run.status === 'awaiting_decision'
      ? `It waits for a decision on its ${waiting}, not on its ${gate}.`
      : `It is ${run.status}, and waits for no decision.`;
  return coreErrors.state_conflict({ reason: `The run ${run.id} cannot take this decision. ${next}` });
}

/** The error for a decision that comes too late. */
export const tooLateError = ({ id, week_of: weekOf }: PlanRunRow) =>
  coreErrors.state_conflict({
    reason: `The time for decisions on the run ${id} is over, and it expires. Reject it, or wait for an hour, and plan the week of ${weekOf} again.`,
  });

/** The gates, with changes to one gate. */
export const withGate = (gates: PlanGates, name: GateName, change: Partial<PlanGate<unknown>>): PlanGates => ({
  ...gates,
  [name]: { ...gates[name], ...change },
});

/** Emits an event about a run. */
export function emitRunEvent(
  ctx: TransactionContext,
  outcome: 'awaiting' | 'completed' | 'failed',
  row: PlanRunRow,
): void {
  ctx.emit(`content_plan.run.${outcome}`, presentRun(row));
}

/** Ends a run without posts, releases its credits, and emits `content_plan.run.failed`. */
export async function endRun(
  ctx: TransactionContext,
  run: PlanRunRow,
  status: 'failed' | 'rejected' | 'expired',
  error: string,
): Promise<PlanRunRow> {
  const { trx, now } = ctx;
  if (run.hold_id !== null) await ctx.release(run.hold_id);
  const row = await runRows.change(trx, run, {
    ...{ status, error: beginning(error, 500), hold_id: null, expires_at: null, ended_at: now, updated_at: now },
  });
  emitRunEvent(ctx, 'failed', row);
  return row;
}
