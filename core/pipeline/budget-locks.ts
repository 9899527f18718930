// The lock under which a figure's leases are taken and calls count without one. It ends with the transaction, the program's
// included. Where locks belong to connections (MySQL, MariaDB) it is the lock of a row; that row also says what its last holder
// saw, because a plain read shows the program's transaction its snapshot, which may be older. Called by budgets.ts and
// budget-leases.ts.
import { defineStatement, type WorkspaceHandle } from '../contract/handle.ts';
import type { TransactionScope } from '../storage/database.ts';
import { readSnapshotSettings, readsOneSnapshot } from '../storage/snapshot-settings.ts';
import type { Figure } from './budget-rows.ts';

/** A lock that the transaction holds. */
export interface BudgetLock {
  /** At most this much was used or promised after its last holder. 0 where every reading is exact: on PostgreSQL at READ COMMITTED. */
  readonly seen: number;
  /** Tells the next holder how much is used or promised now. */
  tell(seen: number): Promise<void>;
}

/** By budget: the period that it is about, and what was seen in it. */
type Seen = Readonly<Record<string, readonly [period: string, seen: number]>>;

// One row for each workspace, made with it: to insert one where others wait for the same could end the program's transaction.
// A row that another transaction holds is passed over: an error would end a transaction of ours.
const lockedRow = defineStatement((db) => db.selectFrom('budget_locks').select('seen').forUpdate().skipLocked());
const tellSeen = defineStatement((db, p: { seen: string }) => db.updateTable('budget_locks').set({ seen: p.seen }));

/** The name of the lock under which leases of a figure are taken and its deltas are compacted. */
export const budgetLock = (workspaceId: string, budget: string, period: string): string =>
  `budget ${workspaceId} ${budget} ${period}`;

const readingIsExact: BudgetLock = { seen: 0, tell: async () => undefined };

/** Takes the lock until the transaction ends; undefined where another one holds it. */
export async function lockBudget(
  scope: Pick<TransactionScope, 'locks' | 'tryLock'>,
  trx: WorkspaceHandle,
  { budget, period, pools: [pool] }: Figure,
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
 * Whether this transaction of the program cannot count under the lock: its snapshot may be older than what others have counted, and
 * on PostgreSQL nothing shows that; or, with `innodb_snapshot_isolation`, MariaDB rolls back a transaction that locks a row which
 * was changed after its snapshot.
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
