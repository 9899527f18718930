// Lists jobs, and makes a failed or waiting job ready again: for operators over all workspaces (service.jobs, the command
// line), and for plugins in one workspace (ctx.ports.jobs). Payloads are not shown: they may contain the text of a mail.
import { defineStatement, type Handle, type WorkspaceHandle } from '../contract/context/handle.ts';
import type { FailedJob, FailedJobsFilter, FailedJobsPage, JobsPort, RetryResult } from '../contract/ports/jobs.ts';
import type { Core } from '../pipeline/core.ts';
import type { JobRow } from '../storage/core-tables.ts';
import { notOlderThan, olderThan } from '../storage/cursor.ts';
import type { Database } from '../storage/database.ts';
import { scanEnd } from '../storage/scan-end.ts';
import { unscoped } from '../storage/scope.ts';

const unscopedReason = unscoped('the queue serves every workspace');

/** The filter of a list of jobs. */
export interface JobListOptions {
  /** (Default: failed) */
  readonly state?: JobRow['state'];
  /** (Default: all) */
  readonly workspaceId?: string;
  /** (Default: all) */
  readonly kind?: string;
  /** (Default: all) At most 1,000. */
  readonly ids?: readonly string[];
  /** 1 to 1,000. (Default: 50) */
  readonly limit?: number;
  /** The last job of the previous page. (Default: from the newest) */
  readonly before?: Pick<JobSummary, 'id' | 'runAt'>;
}

/** A job without its payload. Times are milliseconds since the epoch. */
export interface JobSummary {
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: string;
  /** 0 urgent, 1 normal, 2 bulk, 3 outbound. */
  readonly lane: number;
  readonly state: JobRow['state'];
  readonly attempt: number;
  readonly runAt: number;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  readonly reason: string | null;
  /** Whether the job failed and the `exhausted` handler of its kind has written the result. `retry` refuses such a job. */
  readonly isFinal: boolean;
  /** Whether no plugin of this process declares the kind: another process has to run the job. */
  readonly isUnknownKind: boolean;
}

/** The kinds of jobs that a process knows. */
export interface KnownKinds {
  /** Whether a plugin declares the kind. */
  declares(kind: string): boolean;
  /** Whether the kind has an `exhausted` handler, which is called after the last attempt. */
  hasExhaustedHandler(kind: string): boolean;
}

/** The kinds that the composed plugins declare. */
export const knownKinds = (core: () => Core): KnownKinds => ({
  declares: (kind) => core().registry.jobs.has(kind),
  hasExhaustedHandler: (kind) => core().registry.jobs.get(kind)?.exhausted !== undefined,
});

/** Jobs that failed for these reasons never ran their `exhausted` handler. */
const failedBeforeRunning = /^(payload_invalid|workspace_missing)\b/;

const isFinal = (
  { state, kind, reason }: Pick<JobRow, 'state' | 'kind' | 'reason'>,
  { hasExhaustedHandler }: KnownKinds,
): boolean => state === 'failed' && hasExhaustedHandler(kind) && !failedBeforeRunning.test(reason ?? '');

/** A page of jobs, ordered by their due time, the latest first. */
export async function listJobs(
  database: Database,
  kinds: KnownKinds,
  options: JobListOptions = {},
): Promise<JobSummary[]> {
  const { state = 'failed', workspaceId, kind, ids, before } = options;
  const limit = Math.min(1_000, Math.max(1, Math.floor(options.limit ?? 50)));
  const rows = await database.read(unscopedReason, ({ db }) => {
    let query = db
      .selectFrom('jobs')
      .select([
        'id',
        'workspace_id',
        'kind',
        'lane',
        'state',
        'attempt',
        'run_at',
        'created_at',
        'finished_at',
        'reason',
      ])
      .where('state', '=', state)
      .orderBy('run_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (workspaceId !== undefined) query = query.where('workspace_id', '=', workspaceId);
    if (kind !== undefined) query = query.where('kind', '=', kind);
    if (ids !== undefined) query = query.where('id', 'in', ids.length === 0 ? [''] : ids.slice(0, 1_000));
    if (before !== undefined) {
      query = query
        .where('run_at', '<=', before.runAt)
        .where(({ eb, or }) => or([eb('run_at', '<', before.runAt), eb('id', '<', before.id)]));
    }
    return query.execute();
  });
  return rows.map((row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    kind: row.kind,
    lane: row.lane,
    state: row.state,
    attempt: row.attempt,
    runAt: row.run_at,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    reason: row.reason,
    isFinal: isFinal(row, kinds),
    isUnknownKind: !kinds.declares(row.kind),
  }));
}

/** The part of a job that decides whether it can run again. */
const retryState = defineStatement((db, p: { id: string }) =>
  db.selectFrom('jobs').select(['kind', 'state', 'reason', 'sandbox']).where('id', '=', p.id),
);

/** Sets a failed or waiting job to ready, with all of its attempts. */
const setReady = defineStatement((db, p: { id: string; now: number; state: JobRow['state'] }) =>
  db
    .updateTable('jobs')
    .set({
      state: 'ready',
      run_at: p.now,
      planned_at: null,
      attempt: 0,
      crashes: 0,
      finished_at: null,
      failed_at: null,
      reason: null,
    })
    .where('id', '=', p.id)
    .where('state', '=', p.state),
);

/**
 * Makes a job ready, and resets its attempt counter, if it has failed, or if it waits for another attempt. Refuses a
 * job that waits for its planned time, because it would run early; and a job whose `exhausted` handler has run, because
 * its writes are final and the job's handler would do nothing. If several callers retry one job, only one of them
 * succeeds. A handle that is bound to a side finds only the jobs of that side.
 */
export async function retryJob(
  handle: Handle & { readonly sandbox?: boolean | undefined },
  jobId: string,
  now: number,
  kinds: KnownKinds,
): Promise<RetryResult> {
  const job = await handle.one(retryState, { id: jobId });
  if (job === undefined || (handle.sandbox !== undefined && (job.sandbox === 1) !== handle.sandbox)) return 'missing';
  if (isFinal(job, kinds)) return 'final';
  const hasTried = job.state === 'failed' || (job.state === 'waiting' && job.reason !== null);
  if (!hasTried) return job.state;
  // Zero rows: another caller or a worker has changed the job since.
  return (await handle.run(setReady, { id: jobId, now, state: job.state })) === 1 ? 'retried' : 'ready';
}

/** The code or the error's name at the beginning of a reason, without the text after it, which may contain an address. */
const codeOf = (reason: string | null): string | null =>
  /^(?:[a-z][a-z0-9_]{0,59}$|[A-Za-z][A-Za-z0-9_]{0,59}(?=: ))/.exec(reason ?? '')?.[0] ?? null;

/** A page of the jobs on the handle's side that failed or wait for another attempt, the latest failure first. */
export async function listFailedJobs(
  { db, sandbox }: WorkspaceHandle,
  kinds: KnownKinds,
  { state, kind, limit, after }: FailedJobsFilter,
): Promise<FailedJobsPage> {
  let failed = db.selectFrom('jobs').where('failed_at', 'is not', null);
  if (sandbox !== undefined) failed = failed.where('sandbox', '=', sandbox ? 1 : 0);
  const isFiltered = state !== undefined || kind !== undefined;
  const scannedTo = isFiltered ? await scanEnd(failed, 'failed_at', 'id', after) : undefined;
  const states: readonly FailedJob['state'][] = state === undefined ? ['failed', 'waiting'] : [state];
  let query = failed
    .select(['id', 'kind', 'state', 'attempt', 'reason', 'run_at', 'created_at', 'failed_at'])
    .where('state', 'in', states);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (after !== undefined) query = query.where(olderThan('failed_at', 'id', after));
  if (scannedTo !== undefined) query = query.where(notOlderThan('failed_at', 'id', scannedTo));
  const rows = await query.orderBy('failed_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  const jobs = rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    state: row.state as FailedJob['state'],
    attempts: row.attempt,
    errorCode: codeOf(row.reason),
    createdAt: row.created_at,
    dueAt: row.run_at,
    failedAt: row.failed_at ?? row.run_at,
    canRetry: !isFinal(row, kinds),
  }));
  return { jobs, scannedTo };
}

/** `ctx.ports.jobs`. */
export const createJobsPort = (core: () => Core): JobsPort => ({
  listFailed: (handle, filter) => listFailedJobs(handle, knownKinds(core), filter),
  async retry(ctx, jobId) {
    const result = await retryJob(ctx.trx, jobId, ctx.now, knownKinds(core));
    if (result === 'retried') ctx.afterCommit(() => core().jobSignal.wake());
    return result;
  },
});
