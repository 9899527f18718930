// The context of one attempt: the handler's reads, writes and the job's end. Made by job-attempt.ts.

import type { TransactionContext } from '../contract/context/context.ts';
import { bulkLane, type JobContext, lanes, type RepeatableEnd, urgentLane } from '../contract/declaration/jobs.ts';
import type { SqlStatement } from '../contract/ports/storage.ts';
import { beginning } from '../contract/values/shorten.ts';
import { type CallEffects, createEffects } from '../pipeline/call-effects.ts';
import { readContextOf } from '../pipeline/read-context.ts';
import type { TransactionScope } from '../storage/database.ts';
import { oneSide } from '../storage/scope.ts';
import type { ClaimedJob } from './claim.ts';
import {
  effectsOf,
  endJob,
  failedForGood,
  type JobEnd,
  type JobEndContext,
  type LeasedJob,
  reasonLength,
  underLease,
} from './job-end.ts';
import { JobLeaseLost } from './lease.ts';
import { renewListed } from './queue.ts';

/** The last writes of a job, written with its acknowledgement. */
export type LastWrites = Required<RepeatableEnd> &
  (
    | /** The writes of a job that ended with `batched`. */
    { readonly statements: readonly SqlStatement[]; readonly effects: CallEffects }
    /** The writes of a job that ended with `shared`: they may read and lock rows. */
    | { readonly write: (scope: TransactionScope) => Promise<CallEffects> }
  );

/** A context with the methods that the worker needs. */
export interface AttemptContext {
  readonly value: JobContext;
  /** Whether the handler reported that its attempt did not succeed. */
  readonly failed: boolean;
  /**
   * How the handler ended its job. `returned` if it did not end the job, or if the end is written with the
   * acknowledgement.
   */
  end(): { readonly result: 'returned' | 'ended' | 'put back'; readonly lastWrites?: LastWrites | undefined };
  /** Waits for an end that is being written, then refuses every later write. */
  close(): Promise<void>;
}

/** The settings of an attempt. */
export interface AttemptSettings {
  /** The length of the lease after a checkpoint, in milliseconds. */
  readonly leaseMs: number;
  /** Whether reads may share round trips with reads of other jobs. */
  readonly sharesReads: boolean;
}

/** A context for a claimed job. */
export function createAttemptContext(
  context: JobEndContext,
  job: ClaimedJob & LeasedJob,
  { leaseMs, sharesReads: mayShare }: AttemptSettings,
): AttemptContext {
  const { core, database } = context;
  const { lease } = job;
  let state: 'open' | 'ending' | 'ended' | 'closed' = 'open';
  let ending: Promise<void> | undefined;
  let putBack = false;
  let lastWrites: LastWrites | undefined;
  let failed = false;
  /** Reports an urgent job to the precedence: while it runs, bulk jobs begin nothing new. Call the result when it ends or waits. */
  const report = (): (() => void) => (job.lane === urgentLane ? core.precedence.begin() : () => undefined);
  let endReport = report();
  const turn = async (): Promise<void> => {
    if (job.lane === bulkLane) await core.precedence.waitForTurn();
  };

  const assertOpen = (): void => {
    if (state === 'closed') throw new JobLeaseLost(job.id);
    if (state !== 'open')
      throw new Error(`The job ${job.id} has already ended: make no call after complete or retryAt.`);
  };

  const endWith = async (end: JobEnd, work?: (effects: TransactionContext) => Promise<void>): Promise<void> => {
    assertOpen();
    state = 'ending';
    ending = endJob(context, job, end, work);
    try {
      await ending;
      state = 'ended';
    } catch (error) {
      if (state === 'ending') state = 'open';
      throw error;
    }
  };

  const completeBatched = (work: (effects: TransactionContext) => unknown, repeatable: boolean): void => {
    assertOpen();
    state = 'ended';
    const { scope, statements } = database.deferredScope();
    const parts = { core, workspace: job.workspace, now: core.ports.now(), sandbox: job.sandbox };
    const effects = createEffects({ ...parts, scope });
    try {
      work(effects);
    } catch (error) {
      state = 'open';
      throw error;
    }
    lastWrites = { statements: statements(), effects, repeatable };
  };

  const completeShared = (work: (effects: TransactionContext) => Promise<void>, repeatable: boolean): void => {
    assertOpen();
    state = 'ended';
    const write = async (scope: TransactionScope): Promise<CallEffects> => {
      const effects = effectsOf(context, job, scope);
      await work(effects);
      return effects;
    };
    // The shared transaction is begun by another job, or by a timer.
    lastWrites = { write: core.telemetry.bound(write), repeatable };
  };

  function complete(work?: (effects: TransactionContext) => Promise<void>): Promise<void>;
  function complete(
    work: (effects: TransactionContext) => unknown,
    options: { readonly batched: true } & RepeatableEnd,
  ): Promise<void>;
  function complete(
    work: (effects: TransactionContext) => Promise<void>,
    options: { readonly shared: true } & RepeatableEnd,
  ): Promise<void>;
  async function complete(
    work?: (effects: TransactionContext) => unknown,
    options: { readonly batched?: true; readonly shared?: true } & RepeatableEnd = {},
  ): Promise<void> {
    const { repeatable = false } = options;
    if (work !== undefined && options.batched === true) completeBatched(work, repeatable);
    else if (work !== undefined && options.shared === true)
      completeShared(work as (effects: TransactionContext) => Promise<void>, repeatable);
    else await endWith({ state: 'done' }, work as ((effects: TransactionContext) => Promise<void>) | undefined);
  }

  const value: JobContext = {
    services: core.services,
    ports: core.ports,
    log: core.log,
    jobId: job.id,
    lane: lanes[job.lane] ?? 'normal',
    workspace: job.workspace,
    sandbox: job.sandbox,
    attempt: job.attempt,
    createdAt: job.createdAt,
    get signal() {
      return lease.signal;
    },
    get now() {
      return core.ports.now();
    },
    async outside(work) {
      endReport();
      try {
        return await work();
      } finally {
        if (state !== 'closed') endReport = report();
      }
    },
    async read(work) {
      await turn();
      return database.read(
        oneSide(job.workspaceId, job.sandbox),
        (trx) => work(readContextOf(core, trx, core.ports.now())),
        { mayShare },
      );
    },
    async checkpoint(work) {
      assertOpen();
      await turn();
      assertOpen();
      const until = core.ports.now() + leaseMs;
      const renew = renewListed([job.id], { token: lease.token, until });
      const result = await underLease(context, job, (jobs) => jobs.run(...renew), work);
      lease.until = until;
      return result;
    },
    complete,
    markAttemptFailed() {
      failed = true;
    },
    async giveUp(reason, work) {
      await endWith({ state: 'failed', reason: beginning(reason, reasonLength) }, work);
      failed = true;
      core.log.error({ job_id: job.id, kind: job.kind, attempt: job.attempt, cause: reason }, failedForGood);
    },
    async retryAt(runAt, reason, work, { untried = false, relative = false } = {}) {
      const now = core.ports.now();
      const state = runAt > now ? 'waiting' : 'ready';
      const planned = relative ? { plannedAt: now } : {};
      await endWith({ state, runAt, ...planned, reason: beginning(reason, reasonLength), untried }, work);
      putBack = true;
    },
  };

  return {
    value,
    get failed() {
      return failed;
    },
    end() {
      if (lastWrites !== undefined) return { result: 'returned', lastWrites };
      return { result: state !== 'ended' ? 'returned' : putBack ? 'put back' : 'ended' };
    },
    async close() {
      endReport();
      await ending?.catch(() => undefined);
      if (state !== 'ended') state = 'closed';
    },
  };
}
