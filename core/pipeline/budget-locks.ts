// The lock for taking reservations of a counter and for counting without a reservation. It ends with the transaction, even with a
// transaction of the program. Where locks belong to connections (MySQL, MariaDB) it is a row lock. That row also stores the
// amount that its last holder read, because a plain read in the program's transaction may show an older snapshot. Called by
// budgets.ts and budget-reservations.ts.
import { defineStatement, type WorkspaceHandle } from '../contract/context/handle.ts';
import type { TransactionScope } from '../storage/database.ts';
import { readSnapshotSettings, readsOneSnapshot } from '../storage/snapshot-settings.ts';
import type { BudgetCounter } from './budget-rows.ts';

/** A lock that the transaction holds. */
export interface BudgetLock {
  /**
   * An upper bound of the amount used or reserved after the last holder. 0 if every reading is exact: on PostgreSQL at READ
   * COMMITTED.
   */
  readonly seen: number;
  /** Stores the amount that is used or reserved now, for the next holder. */
  tell(seen: number): Promise<void>;
}

/** By budget: the period, and the amount seen in it. */
type Seen = Readonly<Record<string, readonly [period: string, seen: number]>>;

// Each workspace has one row, inserted with it: inserting a row that others wait for could end the program's transaction. A row
// that another transaction has locked is skipped: an error would end a transaction of ours.
const lockedRow = defineStatement((db) => db.selectFrom('budget_locks').select('seen').forUpdate().skipLocked());
const tellSeen = defineStatement((db, p: { seen: string }) => db.updateTable('budget_locks').set({ seen: p.seen }));

/** The name of the lock under which reservations of a counter are taken and its deltas are compacted. */
export const budgetLock = (workspaceId: string, budget: string, period: string): string =>
  `budget ${workspaceId} ${budget} ${period}`;

const readingIsExact: BudgetLock = { seen: 0, tell: async () => undefined };

/** Takes the lock until the transaction ends. Undefined if another transaction holds it. */
export async function lockBudget(
  scope: Pick<TransactionScope, 'locks' | 'tryLock'>,
  trx: WorkspaceHandle,
  { budget, period, pools: [pool] }: BudgetCounter,
): Promise<BudgetLock | undefined> {
  if (scope.locks !== 'session') {
    const taken = await scope.tryLock(budgetLock(trx.workspaceId, budget, period));
    return taken ? readingIsExact : undefined;
  }
  const row = await trx.one(lockedRow, {});
  if (row === undefined) return undefined;
  const all = JSON.parse(row.seen) as Seen;
  const [of, seen] = all[budget] ?? [pool, 0];
  return {
    seen: of === pool ? seen : 0,
    async tell(now) {
      await trx.run(tellSeen, { seen: JSON.stringify({ ...all, [budget]: [pool, now] }) });
    },
  };
}

/**
 * Whether this transaction of the program cannot count under the lock. On PostgreSQL, its snapshot may lack amounts that other
 * calls have counted, and it cannot detect that. On MariaDB with `innodb_snapshot_isolation`, locking a row that was changed
 * after the snapshot rolls the transaction back.
 */
export async function isSnapshotUnusable(
  scope: Pick<TransactionScope, 'locks'>,
  trx: WorkspaceHandle,
): Promise<boolean> {
  if (scope.locks === 'transaction') return await readsOneSnapshot(trx);
  if (scope.locks !== 'session') return false;
  const { isolation, isSnapshotFatal } = await readSnapshotSettings(trx);
  return isSnapshotFatal && isolation !== 'READ-COMMITTED';
}
