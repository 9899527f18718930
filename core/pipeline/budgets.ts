// Monthly budgets: insert-only deltas and their sum. The last sum is cached, so that a budget far below its limit costs
// no read. Called by the operation context; the compaction by the runner's upkeep, for budgets with many deltas.

import type { Effects } from '../contract/context.ts';
import type { Handle, WorkspaceHandle } from '../contract/handle.ts';
import { defineStatement } from '../contract/handle.ts';
import { filledList } from '../storage/filled-list.ts';
import type { Reading, Release } from './reservations.ts';
import { createReservations } from './reservations.ts';

const trustMs = 2_000;
const trustShare = 0.8;
const longSum = 500;

interface Known {
  sum: number;
  readAt: number;
}

/** An amount that a call wants to count. */
export interface BudgetCount {
  readonly budget: string;
  readonly amount: number;
  /** Infinity means unlimited. */
  readonly limit: number;
  readonly now: number;
  /** What the same transaction has reserved of it already. */
  readonly reserved: number;
  /** The part of `reserved` that is deferred to a later flush, and so not in the database yet. */
  readonly unwritten: number;
  /** True where the database runs transactions one after another, so that each sees all earlier writes. */
  readonly serial: boolean;
}

/** Caches the sum of each workspace and budget. Near the limit it always reads before it decides. */
export interface BudgetMeter {
  /** Reserves the amount until the call has ended; undefined when it no longer fits under the limit. */
  take(handle: WorkspaceHandle, count: BudgetCount): Promise<Release | undefined>;
  /** Adds what a committed call counted. */
  add(workspaceId: string, budget: string, now: number, amount: number): void;
  /** Reports how many rows a sum had that another part of the program read. `period` is that of the row. */
  summed(workspaceId: string, budget: string, period: string, rows: number): void;
  /** Budgets whose number of rows has grown large since the last call. */
  takeLong(): { workspaceId: string; budget: string; period: string }[];
}

/** The latest month is cached: every send needs it. */
let month = { from: 0, to: 0, period: '' };

/** `2026-11`, in UTC. */
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

const sumOf = defineStatement((db, p: { workspace_id: string; budget: string; period: string }) =>
  db
    .selectFrom('budgets')
    .select((builder) => [builder.fn.sum<number>('amount').as('amount'), builder.fn.countAll<number>().as('rows')])
    .where('workspace_id', '=', p.workspace_id)
    .where('budget', '=', p.budget)
    .where('period', '=', p.period),
);

/** A delta, written at the end of the call that counts. */
export const insertBudget = defineStatement(
  (db, p: { workspace_id: string; id: string; budget: string; period: string; amount: number }) =>
    db
      .insertInto('budgets')
      .values({ id: p.id, workspace_id: p.workspace_id, budget: p.budget, period: p.period, amount: p.amount }),
);

/** Gives back what an earlier call counted, in its month: for work that was not done after all. */
export function giveBackBudget(
  { trx, newId }: Pick<Effects, 'trx' | 'newId'>,
  budget: string,
  countedAt: number,
  amount: number,
): void {
  trx.defer(insertBudget, { id: newId('bud'), budget, period: periodOf(countedAt), amount: -amount });
}

/** The exact amount counted so far in the month of `now`. */
export async function usedBudget(
  handle: WorkspaceHandle,
  budget: string,
  now: number,
): Promise<{ amount: number; rows: number }> {
  const row = await handle.one(sumOf, { budget, period: periodOf(now) });
  return { amount: Number(row?.amount ?? 0), rows: Number(row?.rows ?? 0) };
}

/** A meter of this process. */
export function createBudgetMeter(): BudgetMeter {
  const known = new Map<string, Known>();
  const long = new Map<string, { workspaceId: string; budget: string; period: string }>();
  /** Deltas of this process that were not summed since: an unlimited budget is never read before it counts. */
  const unread = new Map<string, number>();
  const reservations = createReservations();
  const keyOf = (workspaceId: string, budget: string, now: number) => `${workspaceId} ${budget} ${periodOf(now)}`;
  return {
    async take(handle, { budget, amount, limit, now, reserved, unwritten, serial }) {
      const key = keyOf(handle.workspaceId, budget, now);
      if (limit === Number.POSITIVE_INFINITY) return () => undefined;
      const memory = known.get(key);
      if (memory !== undefined && now - memory.readAt < trustMs) {
        if (memory.sum + reservations.pending(key) + amount <= limit * trustShare)
          return reservations.reserve(key, amount);
      }
      const remember = (sum: number) => {
        if (known.size > 10_000) known.clear();
        known.set(key, { sum, readAt: now });
      };
      const read = async (): Promise<number> => {
        const { amount: sum, rows } = await usedBudget(handle, budget, now);
        if (rows > longSum) long.set(key, { workspaceId: handle.workspaceId, budget, period: periodOf(now) });
        return sum;
      };
      if (!serial) {
        const onRead = ({ stored, ended }: Reading) => remember(stored + ended);
        return reservations.take(key, amount, limit - unwritten, read, { own: reserved, onRead });
      }
      const sum = await read();
      remember(sum);
      return sum + unwritten + amount <= limit ? reservations.reserve(key, amount) : undefined;
    },
    add(workspaceId, budget, now, amount) {
      const key = keyOf(workspaceId, budget, now);
      const memory = known.get(key);
      if (memory !== undefined) memory.sum += amount;
      const rows = (unread.get(key) ?? 0) + 1;
      if (unread.size > 10_000) unread.clear();
      unread.set(key, rows % longSum);
      if (rows === longSum) long.set(key, { workspaceId, budget, period: periodOf(now) });
    },
    summed(workspaceId, budget, period, rows) {
      if (rows > longSum) long.set(`${workspaceId} ${budget} ${period}`, { workspaceId, budget, period });
    },
    takeLong() {
      const taken = [...long.values()];
      long.clear();
      return taken;
    },
  };
}

/** Replaces many deltas of one month by their sum, inside the caller's transaction. Answers how many were replaced. */
export async function compactBudget(
  handle: Handle,
  group: { workspaceId: string; budget: string; period: string },
  id: string,
): Promise<number> {
  const rows = await handle.db
    .selectFrom('budgets')
    .select(['id', 'amount'])
    .where('workspace_id', '=', group.workspaceId)
    .where('budget', '=', group.budget)
    .where('period', '=', group.period)
    .limit(1_000)
    .execute();
  if (rows.length < 2) return 0;
  const amount = rows.reduce((sum, row) => sum + Number(row.amount), 0);
  await handle.db
    .deleteFrom('budgets')
    .where('workspace_id', '=', group.workspaceId)
    .where('budget', '=', group.budget)
    .where('period', '=', group.period)
    .where('id', 'in', filledList(rows.map((row) => row.id)))
    .execute();
  await handle.db
    .insertInto('budgets')
    .values({ id, workspace_id: group.workspaceId, budget: group.budget, period: group.period, amount })
    .execute();
  return rows.length;
}
