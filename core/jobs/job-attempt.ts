// One attempt of one job: payload, handler, time limit, and the handling of a failure. Called by the worker. Never rejects
// because of a handler; when the database is unavailable, the job's lease expires.

import type { JobDeclaration } from '../contract/declaration/jobs.ts';
import { isPostriderError } from '../contract/errors/errors.ts';
import { isStorageError, isTransientFault } from '../contract/ports/storage.ts';
import { afterLimit } from '../contract/values/deadlines.ts';
import { beginning } from '../contract/values/shorten.ts';
import type { ClaimedJob } from './claim.ts';
import { createAttemptContext, type LastWrites } from './job-context.ts';
import { endJob, failedForGood, type JobEnd, type JobEndContext, type LeasedJob, reasonLength } from './job-end.ts';
import { isLeaseLost } from './lease.ts';

/** The result of an attempt. `returned` still needs its acknowledgement; the other results do not. */
export type JobAttemptResult = 'returned' | 'ended' | 'put back' | 'failed' | 'lost';

/** The end of an attempt, and the writes for its acknowledgement. */
export interface JobAttemptEnd {
  readonly result: JobAttemptResult;
  readonly lastWrites?: LastWrites | undefined;
  /** Whether the handler reported that its attempt did not succeed. */
  readonly failed?: boolean;
  /** Ends the attempt as failed, if the database permanently refuses its last writes. Never rejects. */
  readonly refused?: (error: unknown) => Promise<unknown>;
}

/** How long a handler may run after its signal was aborted, before the attempt ends without it. */
const abortGraceMs = 1_000;

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return beginning(String(error), reasonLength);
  return beginning(`${isPostriderError(error) ? error.code : error.name}: ${error.message}`, reasonLength);
};

/** The payload parsed by its schema, or the reason why it does not fit: paths and codes only, never values. */
export function readPayload(
  declaration: JobDeclaration,
  text: string,
): { readonly payload: unknown } | { readonly reason: string } {
  const parsed = declaration.payload.safeParse(JSON.parse(text));
  if (parsed.success) return { payload: parsed.data };
  const faults = parsed.error.issues.map(({ path, code }) => `${path.join('.') || 'payload'}: ${code}`);
  return { reason: `payload_invalid: ${faults.join(', ')}`.slice(0, reasonLength) };
}

/** Runs one attempt. A checkpoint of the handler renews the lease by `leaseMs`. */
export async function runJobAttempt(
  endContext: JobEndContext,
  declaration: JobDeclaration,
  job: ClaimedJob & LeasedJob,
  leaseMs: number,
): Promise<JobAttemptEnd> {
  const { core } = endContext;
  core.ports.phase('job.started', job.id);
  const parsedPayload = readPayload(declaration, job.payload);
  if ('reason' in parsedPayload) {
    const end: JobEnd = { state: 'failed', reason: parsedPayload.reason };
    return { result: await settle(endContext, job, () => endJob(endContext, job, end)) };
  }

  const context = createAttemptContext(endContext, job, { leaseMs, sharesReads: declaration.sharesReads ?? false });
  const { telemetry } = core;
  const cancelLimit = afterLimit(
    declaration.timeoutMs,
    telemetry.bound(() => job.lease.end('timeout')),
  );
  const fields = { job_id: job.id, kind: job.kind, attempt: job.attempt };
  const cancelHalfTimeWarning = afterLimit(
    declaration.timeoutMs / 2,
    telemetry.bound(() =>
      core.log.warn({ ...fields, limit_ms: declaration.timeoutMs }, 'an attempt of a job has used half of its time'),
    ),
  );
  let failure: { readonly error: unknown } | undefined;
  try {
    await Promise.race([declaration.handler(context.value, parsedPayload.payload), leaseOver(job)]);
  } catch (error) {
    failure = { error };
  } finally {
    cancelLimit();
    cancelHalfTimeWarning();
  }
  await context.close();
  const endOfAttempt = (): JobAttemptEnd => {
    const end = { ...context.end(), failed: context.failed };
    if (end.lastWrites === undefined) return end;
    return {
      ...end,
      refused: (error) => countFailure(endContext, declaration, job, parsedPayload.payload, error, reasonOf(error)),
    };
  };
  if (failure === undefined) return endOfAttempt();
  if (context.end().result !== 'returned' || context.end().lastWrites !== undefined) {
    core.log.warn({ ...fields, cause: reasonOf(failure.error) }, 'a job threw after it had ended');
    return endOfAttempt();
  }
  if (job.lease.ended === 'lost' || isLeaseLost(failure.error)) {
    core.log.warn(fields, 'a job lost its lease: another process may run it now');
    return { result: 'lost' };
  }
  return { result: await afterFailure(endContext, declaration, job, parsedPayload.payload, failure.error) };
}

/** A promise that rejects `abortGraceMs` after the end of the lease, so that an attempt ends even if its handler is still running. */
function leaseOver(job: LeasedJob): Promise<never> {
  return new Promise((_, reject) => {
    job.lease.onEnd(() => setTimeout(() => reject(job.lease.signal.reason), abortGraceMs));
  });
}

async function afterFailure(
  context: JobEndContext,
  declaration: JobDeclaration,
  job: ClaimedJob & LeasedJob,
  payload: unknown,
  error: unknown,
): Promise<JobAttemptResult> {
  const { core } = context;
  const fields = { job_id: job.id, kind: job.kind, attempt: job.attempt };
  if (job.lease.ended === 'stopped') {
    return settle(context, job, () => endJob(context, job, { state: 'ready', reason: 'stopped', untried: true }));
  }
  // An outage of the database must not use up an attempt of the job, and must not delay the job.
  if (isStorageError(error, 'unavailable') && job.lease.ended === undefined) {
    core.log.debug(fields, 'the database became unavailable during a job');
    return settle(context, job, () => endJob(context, job, { state: 'ready', reason: 'database_away', untried: true }));
  }
  const timedOut = job.lease.ended === 'timeout';
  const reason = timedOut ? `timeout: the attempt took longer than ${declaration.timeoutMs} ms` : reasonOf(error);
  return countFailure(context, declaration, job, payload, error, reason);
}

/** Plans the next attempt, or ends the job for good after its last one. */
async function countFailure(
  context: JobEndContext,
  declaration: JobDeclaration,
  job: ClaimedJob & LeasedJob,
  payload: unknown,
  error: unknown,
  reason: string,
): Promise<JobAttemptResult> {
  const { core } = context;
  const fields = { job_id: job.id, kind: job.kind, attempt: job.attempt };
  const delayMs = declaration.retryDelaysMs[job.attempt - 1];
  if (delayMs === undefined) {
    core.log.error({ ...fields, cause: causeOf(error) }, failedForGood);
    return settle(context, job, () => failForGood(context, declaration, job, payload, reason));
  }
  core.log.warn({ ...fields, retry_in_ms: delayMs, cause: causeOf(error) }, 'an attempt of a job failed');
  const plannedAt = core.ports.now();
  const end: JobEnd = { state: delayMs <= 0 ? 'ready' : 'waiting', runAt: plannedAt + delayMs, plannedAt, reason };
  return settle(context, job, () => endJob(context, job, end));
}

/**
 * A transient fault of the database affects many jobs at once, and its stack adds nothing: only its message is logged.
 */
const causeOf = (error: unknown): string => {
  if (isTransientFault(error)) return String(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

/**
 * Marks a job failed and runs its `exhausted`, in one transaction. If `exhausted` throws, the error is logged and its
 * writes are dropped: otherwise the job would be retried for ever.
 */
export async function failForGood(
  context: JobEndContext,
  declaration: JobDeclaration,
  job: LeasedJob & { readonly kind: string },
  payload: unknown,
  reason: string,
): Promise<void> {
  const end: JobEnd = { state: 'failed', reason };
  const { exhausted } = declaration;
  if (exhausted === undefined) return endJob(context, job, end);
  let thrown: { readonly error: unknown } | undefined;
  try {
    await endJob(context, job, end, async (ctx) => {
      thrown = undefined;
      try {
        await exhausted.call(declaration, ctx, payload, reason);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    });
  } catch (error) {
    if (thrown === undefined || thrown.error !== error || isLeaseLost(error)) throw error;
    context.core.log.error({ job_id: job.id, kind: job.kind, cause: causeOf(error) }, "a job's exhausted threw");
    await endJob(context, job, end);
  }
}

/** Writes the failure of an attempt. If that fails, the lease expires and the job is retried. */
async function settle(
  context: JobEndContext,
  job: LeasedJob & { readonly kind: string },
  write: () => Promise<void>,
): Promise<JobAttemptResult> {
  try {
    await write();
    return 'failed';
  } catch (error) {
    const fields = { job_id: job.id, kind: job.kind, cause: causeOf(error) };
    context.core.log.warn(
      fields,
      'the failure of a job could not be stored; the job runs again when its lease expires',
    );
    return 'lost';
  }
}
