// What a process remembers and has to write now and then: when keys were used, which budgets have grown long.
// Called by the runner's tick, at the end of a drain, when stopping, and by upkeep() in a process that is not started.
// No schedule: those run in one process only.
import { compactBudget } from '../pipeline/budgets.ts';
import { unscoped } from '../storage/scope.ts';
import type { SchedulePlace } from './schedule-context.ts';

/** Writes what has gathered. Costs nothing when there is nothing. */
export async function upkeep({ core, database }: SchedulePlace): Promise<void> {
  await core.keyUsage.flush(database);
  // Where this fails the rest is not kept: the next read of a budget that is still long reports it again.
  for (const group of core.budgets.takeLong()) {
    const lock = `budget ${group.workspaceId} ${group.budget} ${group.period}`;
    for (let replaced = 1_000; replaced >= 1_000; ) {
      replaced = await database.transact(async (scope) => {
        // Two processes that add up the same rows would count them twice.
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
