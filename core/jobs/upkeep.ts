// What a process remembers and has to write now and then: when keys were used, which budgets have grown long.
// Called by the runner's tick, at the end of a drain and when stopping. No schedule: those run in one process only.
import { compactBudget } from '../pipeline/budgets.ts';
import type { SchedulePlace } from './schedule-context.ts';

/** Writes what has gathered. Costs nothing when there is nothing. */
export async function upkeep({ core, database }: SchedulePlace): Promise<void> {
  await core.keyUsage.flush(database);
  for (const group of core.budgets.takeLong()) {
    const lock = `budget ${group.workspaceId} ${group.budget} ${group.period}`;
    for (let replaced = 1_000; replaced >= 1_000; ) {
      replaced = await database.transact(async (scope) => {
        // Two processes that add up the same rows would count them twice.
        if (!(await scope.tryLock(lock))) return 0;
        return compactBudget(scope.handle(undefined), group, core.ports.ids.create('bud'));
      });
    }
  }
}
