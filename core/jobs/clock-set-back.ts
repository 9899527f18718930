// Plans retries again if their planning time lies in the future: a clock that was ahead wrote that time, and the retries would
// wait until the right clock catches up. Called by the tick. Never changes an absolute time, such as the time of a
// scheduled send.
import type { Database, TransactionScope } from '../storage/database.ts';
import { defineListStatement, maxListLength } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import { queueTransaction } from './queue-transaction.ts';
import { defineSkipLocked, formFor } from './skip-locked.ts';

const unscopedReason = unscoped('the queue serves every workspace');

/** The clocks of two machines may differ by this much. */
const toleratedMs = 60_000;

const plannedAhead = defineSkipLocked((db, p: { latest: number; limit: number }) =>
  db.selectFrom('jobs').select('id').where('planned_at', '>', p.latest).orderBy('planned_at').limit(p.limit),
);

// MariaDB assigns from left to right: `planned_at` comes last.
const restartDelay = defineListStatement((db, p: { now: number }, ids) =>
  db
    .updateTable('jobs')
    .set(({ eb, ref }) => ({
      run_at: eb(eb('run_at', '-', ref('planned_at').$notNull()), '+', p.now),
      planned_at: p.now,
    }))
    .where('id', 'in', ids)
    .where('planned_at', '>', p.now),
);

/** Restarts the delay of such retries at `now`. Returns the number of changed jobs. */
export async function pullBackRetries(database: Database, now: number): Promise<number> {
  const latest = now + toleratedMs;
  const anyPlannedAhead = await database.read(unscopedReason, (handle) =>
    handle.one(plannedAhead.plain, { latest, limit: 1 }),
  );
  if (anyPlannedAhead === undefined) return 0;
  const plannedTooLate = formFor(database.adapter, plannedAhead);
  const pullBackPage = async (scope: TransactionScope): Promise<number> => {
    const handle = scope.handle(unscopedReason);
    const ids = (await handle.all(plannedTooLate, { latest, limit: maxListLength })).map(({ id }) => id);
    return ids.length === 0 ? 0 : handle.run(...restartDelay(ids, { now }));
  };
  let changedCount = 0;
  for (let changed = maxListLength; changed >= maxListLength; changedCount += changed)
    changed = await queueTransaction(database, pullBackPage);
  return changedCount;
}
