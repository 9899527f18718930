// Plans retries again if their planning time lies in the future. A clock that was ahead wrote it, and the retries would
// wait until the right clock catches up. Called by the tick. Never changes an absolute time, such as the time of a
// scheduled send.
import type { Database, TransactionScope } from '../storage/database.ts';
import { defineListStatement, maxListLength } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import { queueTransaction } from './queue-transaction.ts';
import { defineSkipLocked, formFor } from './skip-locked.ts';

const everywhere = unscoped('the queue serves every workspace');

/** The clocks of two machines may differ by this much. */
const toleratedMs = 60_000;

const plannedAhead = defineSkipLocked((db, p: { latest: number; limit: number }) =>
  db.selectFrom('jobs').select('id').where('planned_at', '>', p.latest).orderBy('planned_at').limit(p.limit),
);

// MariaDB assigns from left to right: `planned_at` comes last.
const planAnew = defineListStatement((db, p: { now: number }, ids) =>
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
  const some = await database.read(everywhere, (handle) => handle.one(plannedAhead.plain, { latest, limit: 1 }));
  if (some === undefined) return 0;
  const ahead = formFor(database.adapter, plannedAhead);
  const pullSome = async (scope: TransactionScope): Promise<number> => {
    const handle = scope.handle(everywhere);
    const ids = (await handle.all(ahead, { latest, limit: maxListLength })).map(({ id }) => id);
    return ids.length === 0 ? 0 : handle.run(...planAnew(ids, { now }));
  };
  let pulled = 0;
  for (let found = maxListLength; found >= maxListLength; pulled += found)
    found = await queueTransaction(database, pullSome);
  return pulled;
}
