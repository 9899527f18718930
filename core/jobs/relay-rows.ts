// The SQL of an external queue. A row whose reference was sent is `queued` until `handed_until`; then the reference counts as
// lost. Claims by reference recognise a free row by its lease_until, as all writes by id do (see queue.ts).
import { defineListStatement } from '../storage/list-statement.ts';
import { claimable, countListed, oldestOfKeys } from './queue.ts';
import { defineSkipLocked } from './skip-locked.ts';

const referenceColumns = ['id', 'workspace_id', 'lane', 'concurrency_key', 'run_at'] as const;

/** The ready jobs whose references are sent next. */
export const oldestReady = oldestOfKeys(referenceColumns);

/** Waiting jobs that are due at `until` at the latest. */
export const nearWaiting = defineSkipLocked((db, p: { until: number; limit: number }) =>
  db
    .selectFrom('jobs')
    .select(referenceColumns)
    .where('state', '=', 'waiting')
    .where('run_at', '<=', p.until)
    .orderBy('run_at')
    .limit(p.limit),
);

/** The number of jobs whose references are in the queue. */
export const queuedOfListed = countListed('queued');

/** Sets ready or waiting jobs to queued. */
export const queueListed = defineListStatement((db, p: { until: number }, ids) =>
  db
    .updateTable('jobs')
    .set({ state: 'queued', handed_until: p.until })
    .where('id', 'in', ids)
    .where('lease_until', 'is', null)
    .where('finished_at', 'is', null),
);

/** Records that the queue accepted the references: they now count as lost at `until`. */
export const confirmListed = defineListStatement((db, p: { mark: number; until: number }, ids) =>
  db.updateTable('jobs').set({ handed_until: p.until }).where('id', 'in', ids).where('handed_until', '=', p.mark),
);

/** Sets queued jobs to ready or waiting again, if their `handed_until` is before `before`. */
export const takeBackListed = defineListStatement((db, p: { now: number; before: number }, ids) =>
  db
    .updateTable('jobs')
    .set(({ eb }) => ({
      state: eb
        .case()
        .when('run_at', '<=', p.now)
        .then('ready' as const)
        .else('waiting' as const)
        .end(),
      handed_until: null,
    }))
    .where('id', 'in', ids)
    .where('handed_until', '<', p.before)
    .where('lease_until', 'is', null)
    .where('finished_at', 'is', null),
);

/** Queued jobs whose references count as lost. */
export const lostReferences = defineSkipLocked((db, p: { now: number; limit: number }) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'queued')
    .where('handed_until', '<', p.now)
    // Ordered by an indexed column: otherwise a plan for any parameter may read all jobs.
    .orderBy('run_at')
    .limit(p.limit),
);

/** Sets referenced jobs to running under the lease `token`, if they are due and no process runs them. */
export const claimReferenced = defineListStatement((db, p: { token: string; until: number; due: number }, ids) =>
  db
    .updateTable('jobs')
    .set(({ eb }) => ({
      state: 'running',
      attempt: eb('attempt', '+', 1),
      lease_token: p.token,
      lease_until: p.until,
      handed_until: null,
      waiting_key: null,
      planned_at: null,
    }))
    .where('id', 'in', ids)
    .where('run_at', '<=', p.due)
    .where('lease_until', 'is', null)
    .where('finished_at', 'is', null),
);

/** The listed jobs that `token` holds, with the columns that an attempt needs. */
export const claimedOfListed = defineListStatement((db, p: { token: string }, ids) =>
  db
    .selectFrom('jobs')
    .select(claimable)
    .where('id', 'in', ids)
    .where('lease_token', '=', p.token)
    .where('lease_until', 'is not', null),
);

/** The columns that decide whether this process can run the listed jobs. */
export const kindsOfListed = defineListStatement((db, _: object, ids) =>
  db.selectFrom('jobs').select(['id', 'kind', 'created_at']).where('id', 'in', ids),
);

/** If a process cannot run a job whose reference it received, sets the job to waiting for another process. */
export const passOnListed = defineListStatement((db, p: { now: number; run_at: number; reason: string }, ids) =>
  db
    .updateTable('jobs')
    .set({ state: 'waiting', run_at: p.run_at, planned_at: p.now, reason: p.reason, handed_until: null })
    .where('id', 'in', ids)
    .where('handed_until', 'is not', null)
    .where('lease_until', 'is', null)
    .where('finished_at', 'is', null),
);

/** If references arrived before their jobs are due, sets these jobs to waiting again. */
export const tooEarlyListed = defineListStatement((db, p: { due: number }, ids) =>
  db
    .updateTable('jobs')
    .set({ state: 'waiting', handed_until: null })
    .where('id', 'in', ids)
    .where('run_at', '>', p.due)
    .where('handed_until', 'is not', null)
    .where('lease_until', 'is', null)
    .where('finished_at', 'is', null),
);
