// The rows of budgets: deltas, the reservations of processes, and the sums of both. A delta names the reservation that it was
// taken from, so one insert both counts the amount and uses up the reservation. A delta is changed only if transactions run one
// after another: otherwise concurrent calls would wait for each other at its row. Called by budgets.ts, credits.ts and the
// runner's upkeep.
import type { TransactionContext } from '../contract/context/context.ts';
import { defineStatement, type Handle, type WorkspaceHandle } from '../contract/context/handle.ts';
import type { BudgetRow } from '../storage/core-tables.ts';
import { filledList } from '../storage/filled-list.ts';

/** A counter: the deltas of one budget in one period or, for credits, in both pools. */
export interface BudgetCounter {
  readonly budget: string;
  /** The period under which reservations are held. */
  readonly period: string;
  /** The periods of its deltas. */
  readonly pools: readonly [string, string];
  /** -1 if taken amounts are stored as negative deltas, as for credits. */
  readonly sign: 1 | -1;
}

/** The state of a counter. */
export interface BudgetReading {
  /** The amount that was taken and committed. */
  readonly used: number;
  /** The amount that reservations still allow to be taken. */
  readonly promised: number;
  /** The number of its deltas. */
  readonly rows: number;
}

/** Caches the latest month: every send needs it. */
let month = { from: 0, to: 0, period: '' };

/** The month of a time as budgets name it, in UTC: `2026-11`. */
export function periodOf(now: number): string {
  if (now < month.from || now >= month.to) {
    const date = new Date(now);
    const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    month = { from, to: nextPeriodAt(now), period: date.toISOString().slice(0, 7) };
  }
  return month.period;
}

/** The first moment of the next month, in UTC. */
export function nextPeriodAt(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** A budget that starts at zero each month. */
export const monthlyCounter = (budget: string, now: number): BudgetCounter => {
  const period = periodOf(now);
  return { budget, period, pools: [period, period], sign: 1 };
};

/**
 * How long a reservation counts after it was written. A process takes from a reservation for two seconds at most, and no
 * transaction of an operation or a job stays open for the rest of this time.
 */
export const reservationMs = 6 * 60_000;

const sumOf = defineStatement((db, p: { budget: string; period: string }) =>
  db
    .selectFrom('budgets')
    .select(({ fn }) => [
      fn.sum<number>('amount').as('amount'),
      fn.countAll<number>().as('rows'),
      fn.max<string | null>('id').as('latest'),
    ])
    .where('budget', '=', p.budget)
    .where('period', '=', p.period),
);

const sumsByReservation = defineStatement((db, p: { budget: string; pool: string; other_pool: string }) =>
  db
    .selectFrom('budgets')
    .select((builder) => [
      'lease',
      builder.fn.sum<number>('amount').as('amount'),
      builder.fn.countAll<number>().as('rows'),
    ])
    .where('budget', '=', p.budget)
    .where('period', 'in', [p.pool, p.other_pool])
    .groupBy('lease'),
);

/** `latest` guards against a clock that was set back: otherwise the reservation of a dead process could count for hours. */
const currentReservations = defineStatement((db, p: { budget: string; period: string; now: number; latest: number }) =>
  db
    .selectFrom('budget_leases')
    .select(['id', 'amount'])
    .where('budget', '=', p.budget)
    .where('period', '=', p.period)
    .where('expires_at', '>', p.now)
    .where('expires_at', '<=', p.latest),
);

/** Inserts a delta, in the transaction of the call that counts. */
export const insertBudget = defineStatement((db, p: BudgetRow) =>
  db.insertInto('budgets').values({
    id: p.id,
    workspace_id: p.workspace_id,
    budget: p.budget,
    period: p.period,
    amount: p.amount,
    lease: p.lease,
  }),
);

/** Adds to a delta that the same transaction has read. Use it only if transactions run one after another. */
export const addToBudget = defineStatement(
  (db, p: { workspace_id: string; id: string; budget: string; period: string; amount: number }) =>
    db
      .updateTable('budgets')
      .set((row) => ({ amount: row('amount', '+', p.amount) }))
      .where('budget', '=', p.budget)
      .where('period', '=', p.period)
      .where('id', '=', p.id),
);

export const insertReservation = defineStatement(
  (db, p: { workspace_id: string; id: string; budget: string; period: string; amount: number; expires_at: number }) =>
    db.insertInto('budget_leases').values({
      id: p.id,
      workspace_id: p.workspace_id,
      budget: p.budget,
      period: p.period,
      amount: p.amount,
      expires_at: p.expires_at,
    }),
);

/** Ends a reservation: the amount that was not taken from it is free again. */
export const deleteReservation = defineStatement((db, p: { budget: string; period: string; id: string }) =>
  db.deleteFrom('budget_leases').where('budget', '=', p.budget).where('period', '=', p.period).where('id', '=', p.id),
);

/** Reduces a reservation to the amount that transactions of the program took from it. They may still be open. */
export const shrinkReservation = defineStatement(
  (db, p: { budget: string; period: string; id: string; amount: number }) =>
    db
      .updateTable('budget_leases')
      .set({ amount: p.amount })
      .where('budget', '=', p.budget)
      .where('period', '=', p.period)
      .where('id', '=', p.id),
);

/** Gives back an amount that an earlier call counted, in the month of that call: for work that was not done after all. */
export function giveBackBudget(
  { trx, newId }: TransactionContext,
  budget: string,
  countedAt: number,
  amount: number,
): void {
  trx.defer(insertBudget, { id: newId('bud'), budget, period: periodOf(countedAt), amount: -amount, lease: null });
}

/** The exact amount counted so far in the month of `now`, the number of its deltas, and the id of the latest one. */
export async function usedBudget(
  handle: WorkspaceHandle,
  budget: string,
  now: number,
): Promise<{ amount: number; rows: number; latest: string | undefined }> {
  const row = await handle.one(sumOf, { budget, period: periodOf(now) });
  return { amount: Number(row?.amount ?? 0), rows: Number(row?.rows ?? 0), latest: row?.latest ?? undefined };
}

/**
 * Reads the used amount and the amount that reservations promise. The reservations are read first: a delta that is committed
 * between the two statements then counts once, as used.
 */
export async function readCounter(
  handle: WorkspaceHandle,
  { budget, period, pools: [pool, other], sign }: BudgetCounter,
  now: number,
): Promise<BudgetReading> {
  const [reservations, sums] = await Promise.all([
    handle.all(currentReservations, { budget, period, now, latest: now + 2 * reservationMs }),
    handle.all(sumsByReservation, { budget, pool, other_pool: other }),
  ]);
  let used = 0;
  let rows = 0;
  const takenByReservation = new Map<string, number>();
  for (const sum of sums) {
    const amount = sign * Number(sum.amount);
    used += amount;
    rows += Number(sum.rows);
    if (sum.lease !== null) takenByReservation.set(sum.lease, amount);
  }
  const promised = reservations.reduce(
    (sum, { id, amount }) => sum + Math.max(0, Number(amount) - (takenByReservation.get(id) ?? 0)),
    0,
  );
  return { used, promised, rows };
}

/** Deltas that may be replaced by their sum. */
export interface BudgetGroup {
  readonly workspaceId: string;
  readonly budget: string;
  readonly period: string;
}

const maxCompacted = 1_000;

/**
 * Replaces many deltas of one period by their sum, inside the caller's transaction. Deltas of reservations that still exist stay
 * separate: they record how much of the reservation is left. Returns the number of replaced deltas, or 0 if there are no more to
 * read.
 */
export async function compactBudget(handle: Handle, group: BudgetGroup, id: string): Promise<number> {
  const { workspaceId, budget, period } = group;
  const rows = await handle.db
    .selectFrom('budgets')
    .select(['id', 'amount', 'lease'])
    .where('workspace_id', '=', workspaceId)
    .where('budget', '=', budget)
    .where('period', '=', period)
    .limit(maxCompacted)
    .execute();
  // Read after the deltas: every reservation that a delta names was written before the delta.
  const reservations = await handle.db
    .selectFrom('budget_leases')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('budget', '=', budget)
    .execute();
  const liveReservations = new Set(reservations.map((lease) => lease.id));
  const compactable = rows.filter(({ lease }) => lease === null || !liveReservations.has(lease));
  if (compactable.length < 2) return 0;
  const amount = compactable.reduce((sum, row) => sum + Number(row.amount), 0);
  await handle.db
    .deleteFrom('budgets')
    .where('workspace_id', '=', workspaceId)
    .where('budget', '=', budget)
    .where('period', '=', period)
    .where('id', 'in', filledList(compactable.map((row) => row.id)))
    .execute();
  await handle.db
    .insertInto('budgets')
    .values({ id, workspace_id: workspaceId, budget, period, amount, lease: null })
    .execute();
  return rows.length < maxCompacted ? 0 : compactable.length;
}
