// Finds, locks, changes and ends runs.

import { coreErrors, type TransactionContext, type WorkspaceHandle } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { presentRun } from './present.ts';
import { currentGate, unfinished } from './states.ts';
import { type Gate, type GateName, type Gates, type RunRow, runRows } from './tables.ts';

/** How long a run waits for a decision, in milliseconds. */
export const decisionMs = 14 * 86_400_000;

/** Locks the row of a run until the transaction ends. @throws plan_run_not_found */
export async function lockRun(handle: WorkspaceHandle, id: string): Promise<RunRow> {
  const row = await runRows.lock(handle, id);
  if (row === undefined) throw errors.plan_run_not_found({ id });
  return row;
}

/** The unfinished run of a week. The caller has locked the workspace. */
export async function runOfWeek(handle: WorkspaceHandle, weekOf: string): Promise<RunRow | undefined> {
  for (const status of unfinished) {
    const [row] = await runRows.page(handle, { where: { week_of: weekOf, status }, limit: 1 });
    if (row !== undefined) return row;
  }
  return undefined;
}

/** The error for a decision that the run does not wait for. */
export function notWaiting(run: RunRow, gate: GateName) {
  const waiting = currentGate(run);
  const next =
    run.status === 'awaiting_decision'
      ? `It waits for a decision on its ${waiting}, not on its ${gate}.`
      : `It is ${run.status}, and waits for no decision.`;
  return coreErrors.state_conflict({ reason: `The run ${run.id} cannot take this decision. ${next}` });
}

/** The error for a decision that comes too late. */
export const tooLate = ({ id, week_of: weekOf }: RunRow) =>
  coreErrors.state_conflict({
    reason: `The time for decisions on the run ${id} is over, and it expires. Reject it, or wait for an hour, and plan the week of ${weekOf} again.`,
  });

/** The gates, with changes to one gate. */
export const withGate = (gates: Gates, name: GateName, change: Partial<Gate<unknown>>): Gates => ({
  ...gates,
  [name]: { ...gates[name], ...change },
});

/** Emits an event about a run. */
export function tellRun(effects: TransactionContext, what: 'awaiting' | 'completed' | 'failed', row: RunRow): void {
  effects.emit(`content_plan.run.${what}`, presentRun(row));
}

/** Ends a run without posts, releases its credits, and emits `content_plan.run.failed`. */
export async function endRun(
  effects: TransactionContext,
  run: RunRow,
  status: 'failed' | 'rejected' | 'expired',
  error: string,
): Promise<RunRow> {
  const { trx, now } = effects;
  if (run.hold_id !== null) await effects.release(run.hold_id);
  const row = await runRows.change(trx, run, {
    ...{ status, error: beginning(error, 500), hold_id: null, expires_at: null, ended_at: now, updated_at: now },
  });
  tellRun(effects, 'failed', row);
  return row;
}
