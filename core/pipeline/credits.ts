// Credits: a ledger that is only ever added to, and what is left. Two pools: the month's is what the plan grants and ends
// with the month; the granted one lasts. What is taken comes from the month first and goes back in the reverse order.
// The ledger is the history; what is left is summed from deltas in `budgets`, which are rolled up (budgets.ts).
import { coreErrors } from '../contract/core-errors.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import { defineStatement } from '../contract/handle.ts';
import type { Workspace } from '../contract/workspace.ts';
import type { CreditHoldRow, CreditRow } from '../storage/core-tables.ts';
import { insertBudget, periodOf } from './budgets.ts';
import type { Release, Reservations } from './reservations.ts';

/** The budget under which the deltas of both pools stand; its periods are the pools. */
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

/** What is left of both pools, and of how many rows each sum was made. */
export interface CreditPools {
  readonly month: number;
  readonly granted: number;
  readonly rows: { readonly pool: string; readonly count: number }[];
}

/** What is left of both pools. */
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

/** Why, when and under which ids entries are written. */
export interface CreditDetails {
  readonly reason: string;
  readonly now: number;
  newId(prefix: string): string;
}

type Entry = Pick<CreditRow, 'pool' | 'kind' | 'amount' | 'hold_id'>;

/** The delta at once, so that the next sum of the same transaction has it; the ledger's entry with the last writes. */
async function write(handle: WorkspaceHandle, entry: Entry, { reason, now, newId }: CreditDetails): Promise<void> {
  handle.defer(insertCredit, { ...entry, id: newId('crd'), reason, created_at: now });
  if (entry.amount === 0) return;
  const delta = { budget: creditBudget, period: entry.pool, amount: entry.amount };
  await handle.run(insertBudget, { id: newId('bud'), ...delta });
}

/** Adds credits that do not end with the month. */
export const grantCredits = (handle: WorkspaceHandle, amount: number, details: CreditDetails): Promise<void> =>
  write(handle, { pool: 'granted', kind: 'grant', amount, hold_id: null }, details);

/**
 * Before credits are taken, where transactions run side by side: reserves them, so that transactions of this process
 * cannot take the same. `reserved`: what the same transaction has reserved already. @throws credits_exhausted
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

/** What was taken: from the month's pool first. */
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

/** Takes `price`. Answers of how many rows the sums were made. @throws credits_exhausted */
export async function chargeCredits(
  handle: WorkspaceHandle,
  workspace: Workspace,
  price: number,
  details: CreditDetails,
): Promise<CreditPools['rows']> {
  return (await take(handle, workspace, price, { kind: 'charge', hold_id: null }, details)).rows;
}

/** Takes `price` until the work that it pays for has ended, however it does. @throws credits_exhausted */
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
  /** What the work cost in the end: what was held beyond it goes back. Never more than was held. */
  readonly price: number;
}

/**
 * Ends a hold: what is left of it goes back into the pools it came from, that of its month too. False where it has ended
 * already; removing its row is what decides, so that it ends once.
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
