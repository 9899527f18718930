// The statements that write a job and cancel one. Called by call-effects.ts; the rest of the queue's SQL is in
// core/jobs/queue.ts. Only a waiting job has a key: the claim removes it, and the database allows one waiting job for
// each key in a workspace, kind and side.
import type { Kysely } from 'kysely';
import { defineStatement } from '../contract/context/handle.ts';
import type { Tables } from '../contract/open.ts';
import type { JobRow } from '../storage/core-tables.ts';

/** The columns of a new job. */
export type NewJob = Pick<
  JobRow,
  | 'workspace_id'
  | 'id'
  | 'kind'
  | 'lane'
  | 'concurrency_key'
  | 'state'
  | 'payload'
  | 'sandbox'
  | 'subject'
  | 'run_at'
  | 'created_at'
  | 'traceparent'
>;

/** The columns of a job with a key. */
export type KeyedJob = NewJob & { readonly waiting_key: string };

/** The initial counters. The other columns that a claim and the end of a job write are left out: they are null. */
const initialCounters = { attempt: 0, crashes: 0 } as const;

const replaceable = (p: NewJob) => ({
  id: p.id,
  lane: p.lane,
  concurrency_key: p.concurrency_key,
  state: p.state,
  payload: p.payload,
  subject: p.subject,
  run_at: p.run_at,
  created_at: p.created_at,
  traceparent: p.traceparent,
});

const insert = (db: Kysely<Tables>, p: NewJob, waiting_key: string | null) =>
  db.insertInto('jobs').values({
    ...replaceable(p),
    workspace_id: p.workspace_id,
    kind: p.kind,
    sandbox: p.sandbox,
    waiting_key,
    ...initialCounters,
  });

/** Inserts a job without a key. */
export const insertJob = defineStatement((db, p: NewJob) => insert(db, p, null));

/**
 * Inserts the waiting job of a key, or overwrites it under the new id. One statement, so it is safe with concurrent
 * writers.
 */
export const replaceJob = {
  onConflict: defineStatement((db, p: KeyedJob) =>
    insert(db, p, p.waiting_key).onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'waiting_key', 'kind', 'sandbox'])
        .where('waiting_key', 'is not', null)
        .doUpdateSet(replaceable(p)),
    ),
  ),
  onDuplicate: defineStatement((db, p: KeyedJob) => insert(db, p, p.waiting_key).onDuplicateKeyUpdate(replaceable(p))),
};

/** Deletes the waiting job of a key. */
export const removeWaiting = {
  ofKind: defineStatement((db, p: { waiting_key: string; kind: string; sandbox: number }) =>
    db
      .deleteFrom('jobs')
      .where('waiting_key', '=', p.waiting_key)
      .where('kind', '=', p.kind)
      .where('sandbox', '=', p.sandbox),
  ),
  ofAnyKind: defineStatement((db, p: { waiting_key: string; sandbox: number }) =>
    db.deleteFrom('jobs').where('waiting_key', '=', p.waiting_key).where('sandbox', '=', p.sandbox),
  ),
};
