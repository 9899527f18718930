// All SQL of the queue. A job's row goes waiting → ready → running → done or failed; a `running` row belongs to the
// holder of `lease_token` until `lease_until`. Every write of the holder has the token as a condition. Writes by id
// detect a running row by its lease_until: with a condition on `state`, Postgres would use the wrong index.
import type { Kysely } from 'kysely';
import { defineStatement } from '../contract/context/handle.ts';
import type { Tables } from '../contract/open.ts';
import type { JobRow } from '../storage/core-tables.ts';
import { defineListStatement } from '../storage/list-statement.ts';
import { defineSkipLocked } from './skip-locked.ts';
import type { KindSlots } from './unknown-kinds.ts';

/**
 * The first ready job in a lane, in the order of keys. With ORDER BY and LIMIT, Postgres seeks in the index even when
 * its statistics show no ready job; with min() it would then read all ready jobs.
 */
const firstReady = (db: Kysely<Tables>, lane: number, unknownKinds: readonly string[] = []) =>
  db
    .selectFrom('jobs')
    .where('state', '=', 'ready')
    .where('lane', '=', lane)
    .$if(unknownKinds.length > 0, (query) => query.where('kind', 'not in', unknownKinds))
    .orderBy('concurrency_key')
    .limit(1);

/** The values of the named parameters, which the type of the statement does not list. */
const valuesOf = (value: object, names: readonly string[]): string[] =>
  names.map((name) => (value as Readonly<Record<string, string>>)[name] ?? '');

/** Calls `make` once for each number of unknown kinds, and caches the result. */
function byUnknownKinds<T>(make: (names: readonly string[]) => T): (slots: KindSlots) => T {
  const byCount = new Map<number, T>();
  return ({ names }) => {
    const result = byCount.get(names.length) ?? make(names);
    byCount.set(names.length, result);
    return result;
  };
}

/**
 * For each lane: its number if it has a ready job, otherwise null. Also the due time of the next waiting job. Costs
 * five index seeks. Jobs of unknown kinds do not count as ready.
 */
export const queueStatusWithout = byUnknownKinds((names) =>
  defineStatement((db, p: object) => {
    const unknownKinds = valuesOf(p, names);
    return db.selectNoFrom([
      firstReady(db, 0, unknownKinds).select('lane').as('urgent'),
      firstReady(db, 1, unknownKinds).select('lane').as('normal'),
      firstReady(db, 2, unknownKinds).select('lane').as('bulk'),
      firstReady(db, 3, unknownKinds).select('lane').as('outbound'),
      db.selectFrom('jobs').select('run_at').where('state', '=', 'waiting').orderBy('run_at').limit(1).as('waiting_at'),
    ]);
  }),
);

/** The same status, for jobs of all kinds. */
export const queueStatus = queueStatusWithout({ names: [], values: {} });

/**
 * The keys after `after` and up to `until` with ready jobs in a lane, in order: a loose index scan, one seek for each
 * key, however many jobs it has.
 */
export const nextKeys = defineStatement((db, p: { lane: number; after: string; until: string; limit: number }) =>
  db
    .withRecursive('lane_keys(id, number)', (query) =>
      query
        .selectFrom(
          firstReady(db, p.lane)
            .select('concurrency_key as id')
            .where('concurrency_key', '>', p.after)
            .where('concurrency_key', '<=', p.until)
            .$castTo<{ id: string | null }>()
            .as('first'),
        )
        .select(({ lit }) => ['first.id', lit(1).as('number')])
        .unionAll(
          query
            .selectFrom('lane_keys')
            .select((builder) => [
              builder
                .selectFrom('jobs')
                .select('concurrency_key')
                .where('state', '=', 'ready')
                .where('lane', '=', p.lane)
                .whereRef('concurrency_key', '>', 'lane_keys.id')
                .where('concurrency_key', '<=', p.until)
                .orderBy('concurrency_key')
                .limit(1)
                .as('id'),
              builder('lane_keys.number', '+', builder.lit(1)).as('number'),
            ])
            // Without this, MariaDB seeks through all keys, whatever the outer LIMIT.
            .where('lane_keys.number', '<', p.limit)
            .where('lane_keys.id', 'is not', null),
        ),
    )
    .selectFrom('lane_keys')
    .select('id')
    .where('id', 'is not', null)
    .limit(p.limit),
);

/** Sorts after every id. */
export const afterEveryId = '~';

/** The columns that a claim reads. */
export const claimable = [
  'id',
  'workspace_id',
  'kind',
  'lane',
  'concurrency_key',
  'payload',
  'sandbox',
  'attempt',
  'run_at',
  'created_at',
  'traceparent',
] as const satisfies readonly (keyof JobRow)[];

const oldestStatement = <Column extends keyof JobRow>(
  columns: readonly Column[],
  locking: boolean,
  names: readonly string[] = [],
) =>
  defineListStatement((db, p: { lane: number; share: number }, keys) => {
    const unknownKinds = valuesOf(p, names);
    const parts = keys.map((key, index) => {
      const oldest = db
        .selectFrom('jobs')
        .select(columns)
        .where('state', '=', 'ready')
        .where('lane', '=', p.lane)
        .where('concurrency_key', '=', key)
        .$if(unknownKinds.length > 0, (query) => query.where('kind', 'not in', unknownKinds))
        .orderBy('run_at')
        .orderBy('id')
        .limit(p.share)
        .$castTo<Pick<JobRow, Column>>();
      return db.selectFrom((locking ? oldest.forUpdate().skipLocked() : oldest).as(`key_${index}`)).selectAll();
    });
    const [first, ...otherParts] = parts as [(typeof parts)[number], ...typeof parts];
    return otherParts.reduce((union, part) => union.unionAll(part), first);
  });

/** The `share` oldest ready jobs of each listed key in a lane, with these columns. */
export const oldestOfKeys = <Column extends keyof JobRow>(columns: readonly Column[], names?: readonly string[]) => ({
  locking: oldestStatement(columns, true, names),
  plain: oldestStatement(columns, false, names),
});

/** The jobs that a claim takes. Jobs of unknown kinds are left out. */
export const takeWithout = byUnknownKinds((names) => oldestOfKeys(claimable, names));

/** The number of jobs of each listed key in a lane, over all processes. */
export const countListed = (state: 'running' | 'queued') =>
  defineListStatement((db, p: { lane: number }, keys) =>
    db
      .selectFrom('jobs')
      .select(['concurrency_key', ({ fn }) => fn.countAll<number>().as('jobs')])
      .where('state', '=', state)
      .where('lane', '=', p.lane)
      .where('concurrency_key', 'in', keys)
      .groupBy('concurrency_key'),
  );

/** The number of running jobs of each listed key in a lane. */
export const runningListed = countListed('running');

/** Sets ready jobs to running under the lease `token`. */
export const claimListed = defineListStatement((db, p: { token: string; until: number }, ids) =>
  db
    .updateTable('jobs')
    .set(({ eb }) => ({
      state: 'running',
      attempt: eb('attempt', '+', 1),
      lease_token: p.token,
      lease_until: p.until,
      waiting_key: null,
      planned_at: null,
    }))
    .where('id', 'in', ids)
    .where('lease_until', 'is', null)
    .where('finished_at', 'is', null),
);

/** Marks finished jobs as done. */
export const finishListed = defineListStatement((db, p: { token: string; now: number }, ids) =>
  db
    .updateTable('jobs')
    .set({ state: 'done', finished_at: p.now, lease_until: null, failed_at: null, reason: null })
    .where('id', 'in', ids)
    .where('lease_token', '=', p.token)
    .where('lease_until', 'is not', null),
);

export const renewListed = defineListStatement((db, p: { token: string; until: number }, ids) =>
  db
    .updateTable('jobs')
    .set({ lease_until: p.until })
    .where('id', 'in', ids)
    .where('lease_token', '=', p.token)
    .where('lease_until', 'is not', null),
);

/** The listed jobs that `token` still holds. */
export const leasedOfListed = defineListStatement((db, p: { token: string }, ids) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('id', 'in', ids)
    .where('lease_token', '=', p.token)
    .where('lease_until', 'is not', null),
);

/** The listed jobs that `token` still holds. Locks their rows until the transaction ends. */
export const lockLeasedListed = defineListStatement((db, p: { token: string }, ids) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('id', 'in', ids)
    .where('lease_token', '=', p.token)
    .where('lease_until', 'is not', null)
    .forUpdate(),
);

/** Returns to the queue claimed jobs that have not begun. This does not count as an attempt. */
export const giveBackListed = defineListStatement((db, p: { token: string }, ids) =>
  db
    .updateTable('jobs')
    .set(({ eb }) => ({ state: 'ready', attempt: eb('attempt', '-', 1), lease_until: null }))
    .where('id', 'in', ids)
    .where('lease_token', '=', p.token)
    .where('lease_until', 'is not', null),
);

/** Postpones jobs that must not run here now; this does not count as an attempt. */
export const postponeListed = defineListStatement((db, p: { token: string; run_at: number; planned_at: number }, ids) =>
  db
    .updateTable('jobs')
    .set(({ eb }) => ({
      state: 'waiting',
      run_at: p.run_at,
      planned_at: p.planned_at,
      attempt: eb('attempt', '-', 1),
      lease_until: null,
    }))
    .where('id', 'in', ids)
    .where('lease_token', '=', p.token)
    .where('lease_until', 'is not', null),
);

/** Ends an attempt: done, failed, or back in the queue. */
export const endOne = defineStatement(
  (
    db,
    p: {
      id: string;
      token: string;
      state: 'waiting' | 'ready' | 'done' | 'failed';
      run_at: number;
      planned_at: number | null;
      finished_at: number | null;
      failed_at: number | null;
      reason: string | null;
      /** 1 if this attempt does not count: the claim has counted it already. */
      untried: 0 | 1;
    },
  ) =>
    db
      .updateTable('jobs')
      .set(({ eb }) => ({
        state: p.state,
        attempt: eb('attempt', '-', p.untried),
        run_at: p.run_at,
        planned_at: p.planned_at,
        finished_at: p.finished_at,
        failed_at: p.failed_at,
        reason: p.reason,
        crashes: 0,
        lease_until: null,
      }))
      .where('id', '=', p.id)
      .where('lease_token', '=', p.token)
      .where('lease_until', 'is not', null),
);

/** The state of a job, and the token of its last holder. */
export const lastState = defineStatement((db, p: { id: string }) =>
  db.selectFrom('jobs').select(['state', 'lease_token']).where('id', '=', p.id),
);

/** Waiting jobs that are due. */
export const dueWaiting = defineSkipLocked((db, p: { now: number; limit: number }) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'waiting')
    .where('run_at', '<=', p.now)
    .orderBy('run_at')
    .limit(p.limit),
);

/** Sets waiting jobs to ready. */
export const promoteListed = defineListStatement((db, _: object, ids) =>
  db
    .updateTable('jobs')
    .set({ state: 'ready' })
    .where('id', 'in', ids)
    .where('lease_until', 'is', null)
    .where('finished_at', 'is', null),
);

/** Running jobs whose lease has expired. */
export const expiredLeases = defineSkipLocked((db, p: { now: number; limit: number }) =>
  db
    .selectFrom('jobs')
    .select([...claimable, 'crashes', 'lease_token'])
    .where('state', '=', 'running')
    .where('lease_until', '<', p.now)
    // Ordered by an indexed column: otherwise a plan for any parameter may read all jobs.
    .orderBy('run_at')
    .limit(p.limit),
);

/** Running jobs whose lease ends later than a lease can last: the clock was set back since the lease was written. */
export const lateLeases = defineStatement((db, p: { latest: number; limit: number }) =>
  db
    .selectFrom('jobs')
    .select(['id', 'lease_token', 'lease_until'])
    .where('state', '=', 'running')
    .where('lease_until', '>', p.latest)
    .orderBy('run_at')
    .limit(p.limit),
);

/** Ends a lease, if its holder has not renewed it meanwhile. */
export const endLease = defineStatement((db, p: { id: string; token: string; until: number; ended: number }) =>
  db
    .updateTable('jobs')
    .set({ lease_until: p.ended })
    .where('id', '=', p.id)
    .where('lease_token', '=', p.token)
    .where('lease_until', '=', p.until),
);

/** Sets running jobs with an expired lease to ready. */
export const reclaimListed = defineListStatement((db, p: { now: number; reason: string }, ids) =>
  db
    .updateTable('jobs')
    .set(({ eb }) => ({
      state: 'ready',
      crashes: eb('crashes', '+', 1),
      // The claim counted an attempt; a crash does not count as one.
      attempt: eb('attempt', '-', 1),
      failed_at: p.now,
      reason: p.reason,
      lease_until: null,
    }))
    .where('id', 'in', ids)
    .where('lease_until', '<', p.now),
);

/** Sets a job with an expired lease to waiting, because it may have crashed its processes. */
export const setAside = defineStatement((db, p: { id: string; now: number; reason: string; run_at: number }) =>
  db
    .updateTable('jobs')
    .set(({ eb }) => ({
      state: 'waiting',
      crashes: eb('crashes', '+', 1),
      attempt: eb('attempt', '-', 1),
      run_at: p.run_at,
      planned_at: p.now,
      failed_at: p.now,
      reason: p.reason,
      lease_until: null,
    }))
    .where('id', '=', p.id)
    .where('lease_until', '<', p.now),
);

/** The workspaces of claimed jobs. */
export const workspacesListed = defineListStatement((db, _: object, ids) =>
  db.selectFrom('workspaces').selectAll().where('id', 'in', ids),
);

/** The listed jobs that are visible. A job of a joined transaction becomes visible at its commit. */
export const visibleListed = defineListStatement((db, _: object, ids) =>
  db.selectFrom('jobs').select('id').where('id', 'in', ids),
);
