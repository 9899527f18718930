// Whether due jobs stand because no process runs any: a running process makes due jobs ready at every poll, and postpones those
// that it cannot run. Called by `doctor`. Reads few rows along an index, and changes nothing.
import { defineStatement } from '../contract/handle.ts';
import type { Database } from '../storage/database.ts';
import { unscoped } from '../storage/scope.ts';

const everywhere = unscoped('the queue serves every workspace');

/** Processes poll much more often. */
const toleratedMs = 60_000;

const firstDue = defineStatement((db, p: { state: 'ready' | 'waiting'; before: number }) =>
  db
    .selectFrom('jobs')
    .select('run_at')
    .where('state', '=', p.state)
    .where('run_at', '<=', p.before)
    .orderBy('run_at')
    .limit(1),
);

const someRunning = defineStatement((db, p: { now: number }) =>
  db.selectFrom('jobs').select('id').where('state', '=', 'running').where('lease_until', '>', p.now).limit(1),
);

/** The time since which jobs are due while no process runs any; undefined where none stands for over a minute. */
export async function overdueSince(database: Database, now: number): Promise<number | undefined> {
  return database.read(everywhere, async (handle) => {
    const before = now - toleratedMs;
    const times: number[] = [];
    for (const state of ['waiting', 'ready'] as const) {
      const due = await handle.one(firstDue, { state, before });
      if (due !== undefined) times.push(due.run_at);
    }
    if (times.length === 0 || (await handle.one(someRunning, { now })) !== undefined) return undefined;
    return Math.min(...times);
  });
}
