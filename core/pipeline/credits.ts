// Credits: an append-only ledger, and the balance. There are two pools: the monthly one is what the plan grants and
// ends with the month; the granted one does not expire. Charges take from the monthly pool first, refunds go back in
// the reverse order. The ledger is the history; the balance is summed from deltas in `budgets`, which are compacted
// (budgets.ts).
import { coreErrors } from '../contract/core-errors.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import { defineStatement } from '../contract/handle.ts';
import type { Workspace } from '../contract/workspace.ts';
import type { CreditHoldRow, CreditRow } from '../storage/core-tables.ts';
import { insertBudget, periodOf } from './budgets.ts';
import type { Release, Reservations } from './reservations.ts';

/** The budget that holds the deltas of both pools; the pools are its periods. */
export const creditBudget = 'credits';

const poolSums = defineStatement((db, p: { workspace_id: string; month: string }) =>
  db
    .selectFrom('budgets')
    .select((builder) => [
      'period',
      builder.fn.sum<number>('amount').as('amount'),
      builder.fn.countAll<number>().as('rows'),
    ])
    .where('workspace_id', '=', p.workspace_id)
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

const findHold = defineStatement((db, p: { workspace_id: string; id: string }) =>
  db.selectFrom('credit_holds').selectAll().where('workspace_id', '=', p.workspace_id).where('id', '=', p.id),
);

const removeHold = defineStatement((db, p: { workspace_id: string; id: string }) =>
  db.deleteFrom('credit_holds').where('workspace_id', '=', p.workspace_id).where('id', '=', p.id),
);

const monthPool = (now: number): string => `month:${periodOf(now)}`;

/** The balances of both pools, and the number of rows in each sum. */
export interface CreditPools {
  readonly month: number;
  readonly granted: number;
  readonly rows: { readonly pool: string; readonly count: number }[];
}

/** Reads the balances of both pools. */
export async function creditPools(handle: WorkspaceHandle, workspace: Workspace, now: number): Promise<CreditPools> {
  const month = monthPool(now);
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
  newId(prefix: string): string;
}

type Entry = Pick<CreditRow, 'pool' | 'kind' | 'amount' | 'hold_id'>;

/** Writes the delta at once, so that the next sum of the same transaction includes it; defers the ledger's entry. */
async function write(handle: WorkspaceHandle, entry: Entry, { reason, now, newId }: CreditDetails): Promise<void> {
  handle.defer(insertCredit, { ...entry, id: newId('crd'), reason, created_at: now });
  if (entry.amount === 0) return;
  const delta = { budget: creditBudget, period: entry.pool, amount: entry.amount };
  await handle.run(insertBudget, { id: newId('bud'), ...delta });
}

/** Adds credits that do not expire with the month. */
export const grantCredits = (handle: WorkspaceHandle, amount: number, details: CreditDetails): Promise<void> =>
  write(handle, { pool: 'granted', kind: 'grant', amount, hold_id: null }, details);

/**
 * Reserves credits before they are charged, where transactions run concurrently: so that two transactions of this
 * process cannot spend the same credits. `reserved`: the amount that the same transaction has reserved already.
 * @throws credits_exhausted
 */
export async function reserveCredits(
  charges: Reservations,
  handle: WorkspaceHandle,
  workspace: Workspace,
  { price, reserved, now }: { readonly price: number; readonly reserved: number; readonly now: number },
): Promise<Release> {
  let balance = 0;
  const read = async (): Promise<number> => {
    const { month, granted } = await creditPools(handle, workspace, now);
    balance = month + granted;
    return -balance;
  };
  const release = await charges.take(workspace.id, price, 0, read, { own: reserved });
  if (release === undefined) throw coreErrors.credits_exhausted({ price, balance });
  return release;
}

/** The charged amount by pool; the monthly pool is used first. */
interface Taken {
  readonly pool: string;
  readonly fromMonth: number;
  readonly fromGranted: number;
  readonly rows: CreditPools['rows'];
}

async function take(
  handle: WorkspaceHandle,
  workspace: Workspace,
  price: number,
  { kind, hold_id }: Pick<Entry, 'kind' | 'hold_id'>,
  details: CreditDetails,
): Promise<Taken> {
  const { month, granted, rows } = await creditPools(handle, workspace, details.now);
  const balance = month + granted;
  if (balance < price) throw coreErrors.credits_exhausted({ price, balance });
  const pool = monthPool(details.now);
  const fromMonth = Number.isFinite(month) ? Math.min(price, Math.max(0, month)) : price;
  const fromGranted = price - fromMonth;
  if (fromMonth > 0) await write(handle, { pool, kind, amount: -fromMonth, hold_id }, details);
  if (fromGranted > 0) await write(handle, { pool: 'granted', kind, amount: -fromGranted, hold_id }, details);
  return { pool, fromMonth, fromGranted, rows };
}

/** Charges `price`. Answers the number of rows in each sum. @throws credits_exhausted */
export async function chargeCredits(
  handle: WorkspaceHandle,
  workspace: Workspace,
  price: number,
  details: CreditDetails,
): Promise<CreditPools['rows']> {
  return (await take(handle, workspace, price, { kind: 'charge', hold_id: null }, details)).rows;
}

/** Reserves `price` until the work that it pays for has ended in success or failure. @throws credits_exhausted */
export async function holdCredits(
  handle: WorkspaceHandle,
  workspace: Workspace,
  hold: { readonly id: string; readonly price: number; readonly expiresAt: number },
  details: CreditDetails,
): Promise<CreditPools['rows']> {
  const { id, price, expiresAt } = hold;
  const { pool, fromMonth, fromGranted, rows } = await take(
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
  return rows;
}

/** How a hold ends. */
export interface HoldEnd {
  readonly id: string;
  readonly kind: 'settle' | 'release';
  /** The final price of the work: the rest of the hold is refunded. Never more than was held. */
  readonly price: number;
}

/**
 * Ends a hold and refunds the rest to the pools it came from, also to that of an earlier month. False where it has
 * ended already: deleting its row decides, so that it ends only once.
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
  const back = fromMonth + fromGranted - Math.min(Math.max(0, price), fromMonth + fromGranted);
  const toGranted = Math.min(back, fromGranted);
  const entry = { kind, hold_id: id };
  const why = { ...details, reason: hold.reason };
  if (toGranted > 0) await write(handle, { ...entry, pool: 'granted', amount: toGranted }, why);
  if (back > toGranted || back === 0) await write(handle, { ...entry, pool: hold.pool, amount: back - toGranted }, why);
  return true;
}
