// The lock under which calls reserve amounts of a counter, or count without a reservation. It ends with the
// transaction, even with a transaction of the program. If the database's locks belong to connections (MySQL, MariaDB),
// it is a row lock. That row also stores the amount that its last holder read, because a plain read in the program's
// transaction may show an older snapshot. Called by budgets.ts and budget-reservations.ts.
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
  readonly usedOrPromised: number;
  /** Stores the amount that is used or reserved now, for the next holder. */
  store(usedOrPromised: number): Promise<void>;
}

/** By budget: the period, and the amount that was used or reserved in it. */
type StoredAmounts = Readonly<Record<string, readonly [period: string, usedOrPromised: number]>>;

// Each workspace has one row, which is inserted with the workspace: a later insertion, for which others wait, could end the
// program's transaction. A row that another transaction has locked is skipped, because an error would end this transaction.
const lockedRow = defineStatement((db) => db.selectFrom('budget_locks').select('seen').forUpdate().skipLocked());
const storeAmounts = defineStatement((db, p: { seen: string }) => db.updateTable('budget_locks').set({ seen: p.seen }));

/** The name of the lock under which reservations of a counter are taken and its deltas are compacted. */
export const budgetLock = (workspaceId: string, budget: string, period: string): string =>
  `budget ${workspaceId} ${budget} ${period}`;

const readingIsExact: BudgetLock = { usedOrPromised: 0, store: async () => undefined };

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
  const storedAmounts = JSON.parse(row.seen) as StoredAmounts;
  const [storedPeriod, usedOrPromised] = storedAmounts[budget] ?? [pool, 0];
  return {
    usedOrPromised: storedPeriod === pool ? usedOrPromised : 0,
    async store(amount) {
      await trx.run(storeAmounts, { seen: JSON.stringify({ ...storedAmounts, [budget]: [pool, amount] }) });
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
