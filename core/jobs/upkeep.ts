// Writes the values that a process has cached: the usage of keys and the log of requests. Also gives back unused reservations of
// budgets, and compacts the rows of long budgets. Called by the runner's tick, at the end of a drain, when stopping, and by
// upkeep() in a process that is not started. Not a schedule, because a schedule runs in one process only.

import { budgetLock } from '../pipeline/budget-locks.ts';
import { compactBudget } from '../pipeline/budget-rows.ts';
import { unscoped } from '../storage/scope.ts';
import type { ScheduleCoreContext } from './schedule-context.ts';

/** Writes the cached values. Costs nothing when there are none. */
export async function upkeep({ core, database }: ScheduleCoreContext): Promise<void> {
  await core.keyUsage.flush(database);
  await core.requestLog?.flush(database);
  await core.budgets.settle();
  // If one compaction fails, the others are dropped: the next read of a long budget reports that budget again.
  for (const group of core.budgets.takeGroupsToCompact()) {
    const lock = budgetLock(group.workspaceId, group.budget, group.period);
    for (let replacedCount = 1_000; replacedCount >= 1_000; ) {
      replacedCount = await database.transact(async (scope) => {
        // Two processes that compact the same rows would count them twice.
        if (!(await scope.tryLock(lock))) return 0;
        return compactBudget(
          scope.handle(unscoped('budgets of every workspace are compacted')),
          group,
          core.ports.ids.create('bud'),
        );
      });
    }
  }
}
