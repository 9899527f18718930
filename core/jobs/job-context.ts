// The context of one try: the handler's reads, writes and the job's end. Made by try.ts.
import type { Effects } from '../contract/context.ts';
import type { JobContext } from '../contract/jobs.ts';
import type { SqlStatement } from '../contract/ports/storage.ts';
import type { CallEffects } from '../pipeline/call-effects.ts';
import { createEffects } from '../pipeline/call-effects.ts';
import { oneSide } from '../storage/scope.ts';
import type { ClaimedJob } from './claim.ts';
import type { EndingPlace, HeldJob, JobEnd } from './endings.ts';
import { endJob, underLease } from './endings.ts';
import { JobLeaseLost } from './lease.ts';
import { renewListed } from './queue.ts';

/** The deferred writes of a job that ended with `batched`, written with its acknowledgement. */
export interface LastWrites {
  readonly statements: readonly SqlStatement[];
  readonly effects: CallEffects;
}

/** A context with the methods that the worker needs. */
export interface TryContext {
  readonly value: JobContext;
  /**
   * How the handler ended its job: `returned` where it did not, or where the end is written with the acknowledgement.
   */
  end(): { readonly result: 'returned' | 'ended' | 'put back'; readonly last?: LastWrites | undefined };
  /** Waits for an end that is being written, then refuses every later write. */
  close(): Promise<void>;
}

/** A context for a held job. */
export function createTryContext(place: EndingPlace, job: ClaimedJob & HeldJob, leaseMs: number): TryContext {
  const { core, database } = place;
  const { lease } = job;
  let state: 'open' | 'ending' | 'ended' | 'closed' = 'open';
  let ending: Promise<void> | undefined;
  let putBack = false;
  let last: LastWrites | undefined;

  const assertOpen = (): void => {
    if (state === 'closed') throw new JobLeaseLost(job.id);
    if (state !== 'open')
      throw new Error(`The job ${job.id} has been ended already: complete or retryAt is its last word.`);
  };

  const endWith = async (end: JobEnd, work?: (effects: Effects) => Promise<void>): Promise<void> => {
    assertOpen();
    state = 'ending';
    ending = endJob(place, job, end, work);
    try {
      await ending;
      state = 'ended';
    } catch (error) {
      if (state === 'ending') state = 'open';
      throw error;
    }
  };

  const completeBatched = (work: (effects: Effects) => unknown): void => {
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
    last = { statements: statements(), effects };
  };

  function complete(work?: (effects: Effects) => Promise<void>): Promise<void>;
  function complete(work: (effects: Effects) => unknown, options: { readonly batched: true }): Promise<void>;
  async function complete(work?: (effects: Effects) => unknown, options?: { readonly batched: true }): Promise<void> {
    if (work !== undefined && options?.batched === true) completeBatched(work);
    else await endWith({ state: 'done' }, work as ((effects: Effects) => Promise<void>) | undefined);
  }

  const value: JobContext = {
    services: core.services,
    ports: core.ports,
    log: core.log,
    jobId: job.id,
    workspace: job.workspace,
    sandbox: job.sandbox,
    attempt: job.attempt,
    createdAt: job.createdAt,
    get signal() {
      return lease.signal;
    },
    read: (work) => database.read(oneSide(job.workspaceId, job.sandbox), work),
    async checkpoint(work) {
      assertOpen();
      const until = core.ports.now() + leaseMs;
      const renew = renewListed([job.id], { token: lease.token, until });
      const result = await underLease(place, job, (jobs) => jobs.run(...renew), work);
      lease.until = until;
      return result;
    },
    complete,
    async retryAt(runAt, reason, work) {
      const waits = runAt > core.ports.now();
      await endWith({ state: waits ? 'waiting' : 'ready', runAt, reason: reason.slice(0, 500) }, work);
      putBack = true;
    },
  };

  return {
    value,
    end() {
      if (last !== undefined) return { result: 'returned', last };
      return { result: state !== 'ended' ? 'returned' : putBack ? 'put back' : 'ended' };
    },
    async close() {
      await ending?.catch(() => undefined);
      if (state !== 'ended') state = 'closed';
    },
  };
}
