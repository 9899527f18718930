// Credits: an append-only ledger, and the balance. There are two pools. The monthly pool contains the credits that the plan
// grants and ends with the month; the granted pool does not expire. Charges take from the monthly pool first; refunds go back
// in the reverse order. The ledger is the history; the balance is summed from deltas in `budgets`, which are compacted
// (budgets.ts).

import { defineStatement, type WorkspaceHandle } from '../contract/context/handle.ts';
import type { Workspace } from '../contract/context/workspace.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { CreditHoldRow, CreditRow } from '../storage/core-tables.ts';
import { type BudgetCounter, insertBudget, nextPeriodAt, periodOf } from './budget-rows.ts';

/** The budget that contains the deltas of both pools; the pools are its periods. */
export const creditBudget = 'credits';

const poolSums = defineStatement((db, p: { month: string }) =>
  db
    .selectFrom('budgets')
    .select((builder) => [
      'period',
      builder.fn.sum<number>('amount').as('amount'),
      builder.fn.countAll<number>().as('rows'),
    ])
    .where('budget', '=', creditBudget)
    .where('period', 'in', ['granted', p.month])
    .groupBy('period'),
);

const insertCredit = defineStatement((db, p: CreditRow) =>
  db.insertInto('credits').values({
    id: p.id,
    workspace_id: p.workspace_id,
    pool: p.pool,
    kind: p.kind,
    amount: p.amount,
    reason: p.reason,
    hold_id: p.hold_id,
    created_at: p.created_at,
  }),
);

const insertHold = defineStatement((db, p: CreditHoldRow) =>
  db.insertInto('credit_holds').values({
    id: p.id,
    workspace_id: p.workspace_id,
    pool: p.pool,
    from_month: p.from_month,
    from_granted: p.from_granted,
    reason: p.reason,
    created_at: p.created_at,
    expires_at: p.expires_at,
  }),
);

const findHold = defineStatement((db, p: { id: string }) =>
  db.selectFrom('credit_holds').selectAll().where('id', '=', p.id),
);

const removeHold = defineStatement((db, p: { id: string }) => db.deleteFrom('credit_holds').where('id', '=', p.id));

/** The pool of the credits that the plan grants in a month, such as `2026-11`. */
export const monthPool = (period: string): string => `month:${period}`;

/** The counter that charges count against: the deltas of both pools, which are negative, with reservations under one period. */
export function creditCounter(now: number): BudgetCounter {
  return { budget: creditBudget, period: 'balance', pools: [monthPool(periodOf(now)), 'granted'], sign: -1 };
}

/** The error for a price that the balance does not cover. */
export const exhausted = ({ plan }: Workspace, price: number, balance: number, now: number) =>
  coreErrors.credits_exhausted({
    price,
    balance,
    plan: plan.name,
    monthly: plan.monthlyCredits,
    renewsAt: new Date(nextPeriodAt(now)).toISOString(),
  });

/** The balances of both pools, and the number of rows in each sum. */
export interface CreditPools {
  readonly month: number;
  readonly granted: number;
  readonly rows: { readonly pool: string; readonly count: number }[];
}

/** Reads the balances of both pools. */
export async function creditPools(handle: WorkspaceHandle, workspace: Workspace, now: number): Promise<CreditPools> {
  const month = monthPool(periodOf(now));
  const sums = await handle.all(poolSums, { month });
  const sumOf = (pool: string): number => Number(sums.find(({ period }) => period === pool)?.amount ?? 0);
  return {
    month: workspace.plan.monthlyCredits + sumOf(month),
    granted: sumOf('granted'),
    rows: sums.map(({ period, rows }) => ({ pool: period, count: Number(rows) })),
  };
}

/** The reason, time and ids of entries. */
export interface CreditDetails {
  readonly reason: string;
  readonly now: number;
  /** The reservation that the price was taken from. (Default: none) */
  readonly reservation?: string | null;
  newId(prefix: string): string;
}

type Entry = Pick<CreditRow, 'pool' | 'kind' | 'amount' | 'hold_id'>;

/** Writes the delta at once, so that the next sum of the same transaction includes it; defers the ledger's entry. */
async function write(
  handle: WorkspaceHandle,
  entry: Entry,
  { reason, now, newId, reservation = null }: CreditDetails,
): Promise<void> {
  handle.defer(insertCredit, { ...entry, id: newId('crd'), reason, created_at: now });
  if (entry.amount === 0) return;
  const delta = { budget: creditBudget, period: entry.pool, amount: entry.amount, lease: reservation };
  await handle.run(insertBudget, { id: newId('bud'), ...delta });
}

/** Adds credits that do not expire with the month. */
export const grantCredits = (handle: WorkspaceHandle, amount: number, details: CreditDetails): Promise<void> =>
  write(handle, { pool: 'granted', kind: 'grant', amount, hold_id: null }, details);

/** The charged amount by pool; the monthly pool is used first. */
interface TakenCredits {
  readonly pool: string;
  readonly fromMonth: number;
  readonly fromGranted: number;
  /** The balances before the charge. */
  readonly before: CreditPools;
}

async function take(
  handle: WorkspaceHandle,
  workspace: Workspace,
  price: number,
  { kind, hold_id }: Pick<Entry, 'kind' | 'hold_id'>,
  details: CreditDetails,
): Promise<TakenCredits> {
  const before = await creditPools(handle, workspace, details.now);
  const { month, granted } = before;
  const balance = month + granted;
  if (balance < price) throw exhausted(workspace, price, balance, details.now);
  const pool = monthPool(periodOf(details.now));
  const fromMonth = Number.isFinite(month) ? Math.min(price, Math.max(0, month)) : price;
  const fromGranted = price - fromMonth;
  if (fromMonth > 0) await write(handle, { pool, kind, amount: -fromMonth, hold_id }, details);
  if (fromGranted > 0) await write(handle, { pool: 'granted', kind, amount: -fromGranted, hold_id }, details);
  return { pool, fromMonth, fromGranted, before };
}

/** Charges `price`. Returns the balances before the charge. @throws credits_exhausted */
export async function chargeCredits(
  handle: WorkspaceHandle,
  workspace: Workspace,
  price: number,
  details: CreditDetails,
): Promise<CreditPools> {
  return (await take(handle, workspace, price, { kind: 'charge', hold_id: null }, details)).before;
}

/** Reserves `price` until the work that it pays for has ended in success or failure. @throws credits_exhausted */
export async function holdCredits(
  handle: WorkspaceHandle,
  workspace: Workspace,
  hold: { readonly id: string; readonly price: number; readonly expiresAt: number },
  details: CreditDetails,
): Promise<CreditPools> {
  const { id, price, expiresAt } = hold;
  const { pool, fromMonth, fromGranted, before } = await take(
    handle,
    workspace,
    price,
    { kind: 'hold', hold_id: id },
    details,
  );
  await handle.run(insertHold, {
    id,
    pool,
    from_month: fromMonth,
    from_granted: fromGranted,
    reason: details.reason,
    created_at: details.now,
    expires_at: expiresAt,
  });
  return before;
}

/** How a hold ends. */
export interface HoldEnd {
  readonly id: string;
  readonly kind: 'settle' | 'release';
  /** The final price of the work, never more than the hold. The rest of the hold is refunded. */
  readonly price: number;
}

/**
 * Ends a hold and refunds the rest to the pools it came from, even to the pool of an earlier month. Returns false if the hold
 * has already ended: deleting its row decides, so a hold ends only once.
 */
export async function endHold(
  handle: WorkspaceHandle,
  { id, kind, price }: HoldEnd,
  details: Omit<CreditDetails, 'reason'>,
): Promise<boolean> {
  const hold = await handle.one(findHold, { id });
  if (hold === undefined || (await handle.run(removeHold, { id })) !== 1) return false;
  const fromMonth = Number(hold.from_month);
  const fromGranted = Number(hold.from_granted);
  const refund = fromMonth + fromGranted - Math.min(Math.max(0, price), fromMonth + fromGranted);
  const toGranted = Math.min(refund, fromGranted);
  const entry = { kind, hold_id: id };
  const refundDetails = { ...details, reason: hold.reason };
  if (toGranted > 0) await write(handle, { ...entry, pool: 'granted', amount: toGranted }, refundDetails);
  if (refund > toGranted || refund === 0)
    await write(handle, { ...entry, pool: hold.pool, amount: refund - toGranted }, refundDetails);
  return true;
}
