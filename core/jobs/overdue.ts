// Checks whether due jobs are stuck, because no process runs jobs, or because no plugin here declares their kind. Called
// by `doctor`. Reads a bounded number of rows along an index, and changes nothing.
import { defineStatement } from '../contract/context/handle.ts';
import type { Database } from '../storage/database.ts';
import { unscoped } from '../storage/scope.ts';

const unscopedReason = unscoped('the queue serves every workspace');

/** Jobs that have been due for longer are stuck, because processes poll much more often. */
const toleratedMs = 60_000;
const maxRead = 10_000;

const dueByKind = defineStatement((db, p: { state: 'ready' | 'waiting'; before: number; limit: number }) =>
  db
    .selectFrom(
      db
        .selectFrom('jobs')
        .select(['kind', 'run_at', 'created_at'])
        .where('state', '=', p.state)
        .where('run_at', '<=', p.before)
        .orderBy('run_at')
        .limit(p.limit)
        .as('due'),
    )
    .select(({ fn }) => [
      'kind',
      fn.countAll<number>().as('jobs'),
      fn.min('run_at').as('since'),
      fn.min('created_at').as('created'),
    ])
    .groupBy('kind'),
);

const someRunning = defineStatement((db, p: { now: number }) =>
  db.selectFrom('jobs').select('id').where('state', '=', 'running').where('lease_until', '>', p.now).limit(1),
);

export interface OverdueJobs {
  /**
   * The time since which jobs have been due while no process runs jobs; undefined if no job has been stuck for over a minute.
   */
  readonly since: number | undefined;
  /** How many jobs of each kind that no plugin declares have been due for over a minute; counted up to 10,000 jobs. */
  readonly unknownKinds: ReadonlyMap<string, number>;
}

/** Looks for stuck jobs. `declares`: whether a composed plugin has the kind. */
export async function overdueJobs(
  database: Database,
  now: number,
  declares: (kind: string) => boolean,
): Promise<OverdueJobs> {
  return database.read(unscopedReason, async (handle) => {
    const overdueBefore = now - toleratedMs;
    const unknownKinds = new Map<string, number>();
    const times: number[] = [];
    for (const state of ['waiting', 'ready'] as const) {
      // With an external queue, jobs of unknown kinds are set to waiting again and again, for a minute at most.
      const until = state === 'waiting' ? now + toleratedMs : overdueBefore;
      for (const row of await handle.all(dueByKind, { state, before: until, limit: maxRead })) {
        const since = Number(row.since);
        if (declares(row.kind)) {
          if (since <= overdueBefore) times.push(since);
        } else if (Number(row.created) <= overdueBefore) {
          unknownKinds.set(row.kind, (unknownKinds.get(row.kind) ?? 0) + Number(row.jobs));
        }
      }
    }
    const isStuck = times.length > 0 && (await handle.one(someRunning, { now })) === undefined;
    return { since: isStuck ? Math.min(...times) : undefined, unknownKinds };
  });
}
