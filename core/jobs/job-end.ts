// The writes of an attempt. Each transaction first locks the job's row by the lease token, so that an attempt that lost its lease
// stores nothing. Called by the job's context, by failed attempts and by the tick. Holds no lock during I/O outside of
// the database.
import type { TransactionContext } from '../contract/context/context.ts';
import type { Handle } from '../contract/context/handle.ts';
import type { Workspace } from '../contract/context/workspace.ts';
import { bulkLane } from '../contract/declaration/jobs.ts';
import { isStorageError, isTransientFault } from '../contract/ports/storage.ts';
import { type CallEffects, createEffects } from '../pipeline/call-effects.ts';
import type { Core } from '../pipeline/core.ts';
import type { JobRow } from '../storage/core-tables.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { unscoped } from '../storage/scope.ts';
import { isLeaseLost, JobLeaseLost, type Lease } from './lease.ts';
import { endOne, lastState } from './queue.ts';

const unscopedReason = unscoped('the queue serves every workspace');

/** A job whose row this process holds. */
export interface LeasedJob {
  readonly id: string;
  readonly kind: string;
  readonly workspace: Workspace;
  readonly sandbox: boolean;
  readonly runAt: number;
  /** Index in `lanes`. */
  readonly lane: number;
  readonly lease: Lease;
}

/** The parts of the service that write a job's end. */
export interface JobEndContext {
  readonly core: Core;
  readonly database: Database;
}

/** The row's new state. */
export interface JobEnd {
  readonly state: Exclude<JobRow['state'], 'running' | 'queued'>;
  /** (Default: unchanged) */
  readonly runAt?: number;
  /** The start of the delay that ends at `runAt`. (Default: `runAt` is an absolute time) */
  readonly plannedAt?: number;
  readonly reason?: string;
  /** The attempt is not counted. (Default: false) */
  readonly untried?: boolean;
}

/** The length of the error text that is kept with the job. */
export const reasonLength = 500;

/** The log message for a job that is not tried again. */
export const failedForGood = 'a job failed for good';

/** The effects of a job in a transaction. */
export const effectsOf = ({ core }: JobEndContext, job: LeasedJob, scope: TransactionScope): CallEffects =>
  createEffects({
    core,
    scope,
    workspace: job.workspace,
    now: core.ports.now(),
    sandbox: job.sandbox,
    innerActor: { kind: 'system', client: job.kind },
  });

/**
 * Runs a transaction that locks the job's row first. It holds no other lock at that point, so two such transactions
 * cannot deadlock.
 * @throws JobLeaseLost
 */
export async function underLease<T>(
  context: JobEndContext,
  job: LeasedJob,
  lockRow: (jobs: Handle) => Promise<number>,
  work: (effects: TransactionContext) => Promise<T>,
  beforeCommit: () => void = () => undefined,
): Promise<T> {
  const isBulk = job.lane === bulkLane;
  const options = { background: isBulk, ...(isBulk && { isHeld: () => context.core.precedence.bulkMustWait() }) };
  const { value, effects } = await context.database.transact(async (scope) => {
    if ((await lockRow(scope.handle(unscopedReason))) !== 1) throw new JobLeaseLost(job.id);
    const effects = effectsOf(context, job, scope);
    const result = await work(effects);
    await scope.flush();
    beforeCommit();
    return { value: result, effects };
  }, options);
  effects.committed(false);
  return value;
}

/**
 * Ends an attempt: `work` and the row's new state commit together. While the database is unavailable or its disk is full,
 * the transaction is retried until the lease is lost or the service stops. Therefore outside work is not repeated merely
 * because its result could not be stored.
 * @throws JobLeaseLost, or the error of `work`
 */
export async function endJob(
  context: JobEndContext,
  job: LeasedJob,
  end: JobEnd,
  work: (effects: TransactionContext) => Promise<void> = async () => undefined,
): Promise<void> {
  const { core, database } = context;
  const { token } = job.lease;
  const lockRow = (jobs: Handle) =>
    jobs.run(endOne, {
      id: job.id,
      token,
      state: end.state,
      run_at: end.runAt ?? job.runAt,
      planned_at: end.plannedAt ?? null,
      finished_at: end.state === 'done' || end.state === 'failed' ? core.ports.now() : null,
      failed_at: end.reason === undefined || end.untried === true ? null : core.ports.now(),
      reason: end.reason ?? null,
      untried: end.untried === true ? 1 : 0,
    });
  let mayHaveCommitted = false;
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    try {
      if (mayHaveCommitted && (await wasEnded(database, job))) break;
      await underLease(context, job, lockRow, work, () => core.ports.phase('job.finishing', job.id));
      break;
    } catch (error) {
      if (isLeaseLost(error) || !isTransientFault(error) || job.lease.ended === 'lost' || job.lease.ended === 'stopped')
        throw error;
      if (isStorageError(error) && error.outcomeUnknown) mayHaveCommitted = true;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  core.ports.phase('job.finished', job.id);
}

/**
 * Marks a job failed if its workspace does not exist, because no effects can be written then. Writes nothing if the
 * lease was lost.
 */
export async function failWithoutEffects(
  { core, database }: JobEndContext,
  job: Pick<LeasedJob, 'id' | 'runAt' | 'lease'>,
  reason: string,
): Promise<void> {
  const now = core.ports.now();
  await database.transact(async (scope) => {
    await scope.handle(unscopedReason).run(endOne, {
      id: job.id,
      token: job.lease.token,
      state: 'failed',
      run_at: job.runAt,
      planned_at: null,
      finished_at: now,
      failed_at: now,
      reason,
      untried: 0,
    });
  });
}

/**
 * Whether the end was stored, after the answer to a COMMIT was lost. The row shows it, because only this process writes
 * this token.
 */
async function wasEnded(database: Database, job: LeasedJob): Promise<boolean> {
  const row = await database.read(unscopedReason, (handle) => handle.one(lastState, { id: job.id }));
  return row !== undefined && row.lease_token === job.lease.token && row.state !== 'running';
}
