// The credit ledger: append only, two pools. The month's pool is what the plan grants and ends with the month;
// the granted pool lasts. A charge takes from the month first.
import { coreErrors } from '../contract/core-errors.ts';
import type { WorkspaceHandle } from '../contract/handle.ts';
import { defineStatement } from '../contract/handle.ts';
import type { Workspace } from '../contract/workspace.ts';
import type { CreditRow } from '../storage/core-tables.ts';
import { periodOf } from './budgets.ts';
import type { Release, Reservations } from './reservations.ts';

const poolSums = defineStatement((db, p: { workspace_id: string; pool: string }) =>
  db
    .selectFrom('credits')
    .select((builder) => ['pool', builder.fn.sum<number>('amount').as('amount')])
    .where('workspace_id', '=', p.workspace_id)
    .where((builder) => builder.or([builder('pool', '=', 'granted'), builder('pool', '=', p.pool)]))
    .groupBy('pool'),
);

const insertCredit = defineStatement(
  (
    db,
    p: {
      workspace_id: string;
      id: string;
      pool: string;
      kind: CreditRow['kind'];
      amount: number;
      reason: string;
      now: number;
    },
  ) =>
    db.insertInto('credits').values({
      id: p.id,
      workspace_id: p.workspace_id,
      pool: p.pool,
      kind: p.kind,
      amount: p.amount,
      reason: p.reason,
      created_at: p.now,
    }),
);

const monthPool = (now: number): string => `month:${periodOf(now)}`;

/** What is left of both pools. */
export async function creditPools(
  handle: WorkspaceHandle,
  workspace: Workspace,
  now: number,
): Promise<{ month: number; granted: number }> {
  const pool = monthPool(now);
  const rows = await handle.all(poolSums, { pool });
  const sumOf = (name: string): number => Number(rows.find((row) => row.pool === name)?.amount ?? 0);
  return { month: workspace.plan.monthlyCredits + sumOf(pool), granted: sumOf('granted') };
}

/** Adds credits that do not end with the month. */
export async function grantCredits(
  handle: WorkspaceHandle,
  id: string,
  amount: number,
  reason: string,
  now: number,
): Promise<void> {
  await handle.run(insertCredit, { id, pool: 'granted', kind: 'grant', amount, reason, now });
}

/** One charge. */
export interface Charge {
  /** Credits. */
  readonly price: number;
  readonly reason: string;
  readonly now: number;
  newId(): string;
}

/**
 * Before a charge, where transactions run side by side: reserves its price, so that calls of this process cannot spend
 * the same credits. `charged`: what the same call was charged before. @throws credits_exhausted
 */
export async function reserveCredits(
  charges: Reservations,
  handle: WorkspaceHandle,
  workspace: Workspace,
  { price, now }: Charge,
  charged: number,
): Promise<Release> {
  if (price <= 0) return () => undefined;
  let balance = 0;
  const read = async (): Promise<number> => {
    const { month, granted } = await creditPools(handle, workspace, now);
    balance = month + granted;
    return -balance;
  };
  const release = await charges.take(workspace.id, price, 0, read, { own: charged });
  if (release === undefined) throw coreErrors.credits_exhausted({ price, balance });
  return release;
}

/** Takes `price`, from the month's pool first. @throws credits_exhausted */
export async function chargeCredits(
  handle: WorkspaceHandle,
  workspace: Workspace,
  { price, reason, now, newId }: Charge,
): Promise<void> {
  if (price <= 0) return;
  const { month, granted } = await creditPools(handle, workspace, now);
  const balance = month + granted;
  if (balance < price) throw coreErrors.credits_exhausted({ price, balance });
  const fromMonth = Number.isFinite(month) ? Math.min(price, Math.max(0, month)) : price;
  if (fromMonth > 0) {
    await handle.run(insertCredit, {
      id: newId(),
      pool: monthPool(now),
      kind: 'charge',
      amount: -fromMonth,
      reason,
      now,
    });
  }
  if (price > fromMonth) {
    await handle.run(insertCredit, {
      id: newId(),
      pool: 'granted',
      kind: 'charge',
      amount: fromMonth - price,
      reason,
      now,
    });
  }
}
