// Lists jobs for operators, and makes a failed or waiting job ready again. Called by service.jobs and the command line.
// Payloads are not shown: they may contain the text of a mail.

import type { JobRow } from '../storage/core-tables.ts';
import type { Database } from '../storage/database.ts';
import { unscoped } from '../storage/scope.ts';
import { lastState, reviveOne } from './queue.ts';

const everywhere = unscoped('the queue serves every workspace');

/** Which jobs to list. */
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
  /** Whether the job failed and the `exhausted` of its kind has written the result. `retry` refuses such a job. */
  readonly isFinal: boolean;
  /** Whether no plugin of this process declares the kind: another process has to run the job. */
  readonly isForeign: boolean;
}

/** The kinds of jobs that a process knows. */
export interface KnownKinds {
  /** Whether a plugin declares the kind. */
  declares(kind: string): boolean;
  /** Whether the kind has an `exhausted`. */
  givesUp(kind: string): boolean;
}

/** Jobs that failed for these reasons never ran their `exhausted`. */
const neverTried = /^(payload_invalid|workspace_missing)\b/;

const isFinal = (
  { state, kind, reason }: Pick<JobRow, 'state' | 'kind' | 'reason'>,
  { givesUp }: KnownKinds,
): boolean => state === 'failed' && givesUp(kind) && !neverTried.test(reason ?? '');

/** A page of jobs, ordered by their due time, the latest first. */
export async function listJobs(
  database: Database,
  kinds: KnownKinds,
  options: JobListOptions = {},
): Promise<JobSummary[]> {
  const { state = 'failed', workspaceId, kind, ids, before } = options;
  const limit = Math.min(1_000, Math.max(1, Math.floor(options.limit ?? 50)));
  const rows = await database.read(everywhere, ({ db }) => {
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
    isForeign: !kinds.declares(row.kind),
  }));
}

/**
 * Makes a failed or waiting job ready, with all of its tries. Returns false if there is no such job, or if the
 * `exhausted` of its kind has run: the writes of `exhausted` are final, and the handler would do nothing.
 */
export async function reviveJob(database: Database, jobId: string, now: number, kinds: KnownKinds): Promise<boolean> {
  return database.transact(async (scope) => {
    const handle = scope.handle(everywhere);
    const job = await handle.one(lastState, { id: jobId });
    if (job?.state !== 'failed' && job?.state !== 'waiting') return false;
    if (isFinal(job, kinds)) return false;
    return (await handle.run(reviveOne, { id: jobId, now, state: job.state })) === 1;
  });
}
