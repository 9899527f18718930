// Marks finished jobs as done in batches, together with the last writes of each job. A batch is written when it has a hundred jobs, or
// after 5 ms. An end whose last writes read rows waits longer. If that end is repeatable, its slot is freed at once, and it waits for 32
// such ends or 50 ms. Otherwise it keeps its slot, and waits until half of all slots wait, or for 10 ms. If the worker has nothing else
// to do, nothing waits. Called by the worker. A job keeps its lease until its mark is committed. A job whose lease was lost is not marked.
import { isStorageError, isTransientFault } from '../contract/ports/storage.ts';
import type { CallEffects } from '../pipeline/call-effects.ts';
import type { Core } from '../pipeline/core.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { inLists } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import { GroupSize } from './group-size.ts';
import type { LastWrites } from './job-context.ts';
import type { Lease } from './lease.ts';
import { byToken } from './leases.ts';
import type { OutageLog } from './outage-log.ts';
import { finishListed, lockLeasedListed, postponeListed } from './queue.ts';
import { queueTransaction } from './queue-transaction.ts';

const unscopedReason = unscoped('the queue serves every workspace');

const batchSize = 100;
const batchWaitMs = 5;
/** If jobs keep their slots, a batch is written when they use this share of all slots, or after this time. */
const slotShare = 0.5;
const slotWaitMs = 10;
/** A batch is written when it has this many repeatable ends, or after this time. */
const repeatableBatchSize = 32;
const repeatableWaitMs = 50;
/**
 * The largest number of repeatable ends that wait for their commit without a slot: further ones keep their slots. If the
 * process dies, the outside work of all these jobs is repeated.
 */
export const maxUnmarked = 64;
/** The largest number of repeatable ends that may not be on disk: the next commit waits for the disk. */
const maxNotOnDisk = 100;
const pauseMs = 250;
/** The delay before a job without last writes runs again when the database refuses its mark. */
const refusedDelayMs = 60_000;

/** How an attempt returned. */
interface ReturnedAttempt {
  readonly lastWrites?: LastWrites | undefined;
  /** Ends the attempt as failed, if the database permanently refuses its last writes. */
  readonly refused?: ((error: unknown) => Promise<unknown>) | undefined;
  /** Whether the end may wait for calls and urgent jobs. (Default: false) */
  readonly isBulk?: boolean;
}

interface ReturnedJob extends ReturnedAttempt {
  readonly lease: Lease;
  readonly wait: ReturnType<typeof waitOf>;
  /** Called when the end is committed, or will not be written any more. */
  readonly settled: () => void;
}

/**
 * How an end waits for its commit: in its slot; without a slot if it is repeatable; or without any limit if its last writes do
 * not read.
 */
function waitOf(lastWrites: LastWrites | undefined): 'in its slot' | 'repeatable' | 'without limit' {
  if (lastWrites === undefined || !('write' in lastWrites)) return 'without limit';
  return lastWrites.repeatable ? 'repeatable' : 'in its slot';
}

/** Thrown inside a transaction, which is then repeated: some jobs of the batch are not running under this process's token. */
class NotAllHeld extends Error {}

interface Parts {
  readonly core: Core;
  readonly database: Database;
  readonly outages: OutageLog;
  readonly concurrency: number;
  /** Whether every end waits for the disk. */
  readonly durableEnds: boolean;
}

/** The jobs that are not marked yet. */
export class Acknowledgements {
  readonly #core: Core;
  readonly #database: Database;
  readonly #outages: OutageLog;
  readonly #durableEnds: boolean;
  readonly #fullSlots: number;
  readonly #onMarked: (leases: readonly Lease[]) => void;
  #waiting: ReturnedJob[] = [];
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #mustFlush = false;
  #awaitingTurn = false;
  #timerMs = 0;
  /** The number of repeatable ends, including the ends that are being written. */
  #unmarked = 0;
  /** Callbacks that free slots: of the repeatable ends that keep their slots, because too many such ends wait without one. */
  readonly #keptSlots: (() => void)[] = [];
  /** How many ends were committed without waiting for the disk, since the last commit that waited for it. */
  #notOnDisk = 0;
  /** Whether the last transaction failed but may have been committed. */
  #isCommitUnknown = false;
  readonly #groupSize = new GroupSize({ min: 8, max: batchSize, maxBlockMs: 6 });

  /** `onMarked` is called with the leases that are no longer needed. */
  constructor(
    { core, database, outages, concurrency, durableEnds }: Parts,
    onMarked: (leases: readonly Lease[]) => void,
  ) {
    this.#core = core;
    this.#database = database;
    this.#outages = outages;
    this.#durableEnds = durableEnds;
    this.#fullSlots = Math.max(1, Math.floor(concurrency * slotShare));
    this.#onMarked = onMarked;
  }

  /** Whether all jobs are marked. */
  get empty(): boolean {
    return this.#waiting.length === 0 && this.#writing === undefined;
  }

  /** Resolves when the job's slot may be freed. */
  add(lease: Lease, returned: ReturnedAttempt): Promise<void> {
    const wait = waitOf(returned.lastWrites);
    return new Promise((resolve) => {
      this.#waiting.push({ ...returned, lease, wait, settled: resolve });
      if (wait === 'repeatable') this.#unmarked += 1;
      if (wait === 'without limit' || (wait === 'repeatable' && this.#unmarked - this.#keptSlots.length <= maxUnmarked))
        resolve();
      else if (wait === 'repeatable') this.#keptSlots.push(resolve);
      this.#next();
    });
  }

  /** Marks the jobs collected so far, without waiting for more. */
  flush(): void {
    this.#mustFlush = true;
    this.#next();
  }

  #next(): void {
    if (this.#writing !== undefined) return;
    if (this.#waiting.length === 0) {
      this.#mustFlush = false;
      return;
    }
    const inSlots = this.#count('in its slot');
    const repeatable = this.#count('repeatable');
    const isFull = inSlots >= this.#fullSlots || repeatable >= repeatableBatchSize || this.#waiting.length >= batchSize;
    if (this.#mustFlush || isFull) {
      if (this.#mustWait()) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#writing = this.#write();
    } else this.#flushWithin(inSlots > 0 ? slotWaitMs : repeatable > 0 ? repeatableWaitMs : batchWaitMs);
  }

  /** Whether only bulk jobs have ended, and must let other work go first. Their ends are then written at their turn. */
  #mustWait(): boolean {
    const { precedence } = this.#core;
    if (!this.#waiting.every(({ isBulk }) => isBulk) || !precedence.bulkMustWait()) return false;
    if (this.#awaitingTurn) return true;
    this.#awaitingTurn = true;
    void precedence.waitForTurn().then(() => {
      this.#awaitingTurn = false;
      this.#next();
    });
    return true;
  }

  #flushWithin(ms: number): void {
    if (this.#timer !== undefined && this.#timerMs <= ms) return;
    clearTimeout(this.#timer);
    this.#timerMs = ms;
    this.#timer = setTimeout(() => this.flush(), ms);
  }

  #count(wait: ReturnedJob['wait']): number {
    return this.#waiting.reduce((sum, job) => sum + (job.wait === wait ? 1 : 0), 0);
  }

  async #write(): Promise<void> {
    const returned = this.#waiting.splice(0, this.#groupSize.current);
    // The remaining jobs follow at once.
    this.#mustFlush ||= this.#waiting.length > 0;
    let settledJobs: readonly ReturnedJob[] = returned;
    const unmarked = new Set(returned);
    try {
      await this.#markAll(returned, unmarked);
      this.#isCommitUnknown = false;
      this.#outages.reportRecovery('marking finished jobs');
    } catch (error) {
      this.#outages.report('marking finished jobs', error);
      this.#isCommitUnknown ||= isStorageError(error) && error.outcomeUnknown;
      settledJobs = returned.filter(
        (job) => !unmarked.has(job) || job.lease.ended === 'lost' || job.lease.ended === 'stopped',
      );
      this.#waiting = [...returned.filter((job) => !settledJobs.includes(job)), ...this.#waiting];
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#writing = undefined;
    this.#unmarked -= settledJobs.filter(({ wait }) => wait === 'repeatable').length;
    this.#next();
    this.#freeKeptSlots();
    this.#onMarked(settledJobs.map(({ lease }) => lease));
    for (const { settled } of settledJobs) settled();
  }

  #freeKeptSlots(): void {
    for (const resolve of this.#keptSlots.splice(0, Math.max(0, maxUnmarked - this.#unmarked + this.#keptSlots.length)))
      resolve();
  }

  /**
   * Marks all jobs in one transaction. If the database refuses the writes of a job, each job gets its own transaction
   * and is then removed from `unmarked`.
   */
  async #markAll(returned: readonly ReturnedJob[], unmarked: Set<ReturnedJob>): Promise<void> {
    try {
      await this.#mark(returned);
    } catch (error) {
      if (isTransientFault(error) || returned.every(({ lastWrites }) => lastWrites === undefined)) throw error;
      for (const job of returned) {
        await this.#markOne(job);
        unmarked.delete(job);
      }
    }
  }

  async #markOne(job: ReturnedJob): Promise<void> {
    try {
      await this.#mark([job]);
    } catch (error) {
      if (isTransientFault(error)) throw error;
      const { jobId, token } = job.lease;
      this.#core.log.error({ job_id: jobId, cause: String(error) }, 'the last writes of a job were refused');
      // The handler has already done its work outside. This counts as an attempt; otherwise a mail would be handed over
      // again for ever.
      if (job.refused !== undefined) {
        await job.refused(error);
        return;
      }
      const now = this.#core.ports.now();
      const postponed = postponeListed([jobId], { token, run_at: now + refusedDelayMs, planned_at: now });
      await queueTransaction(this.#database, async (scope) => scope.handle(unscopedReason).run(...postponed));
    }
  }

  async #mark(returned: readonly ReturnedJob[]): Promise<void> {
    const durable = this.#mustBeOnDisk(returned);
    const written = await this.#writeMarks(returned, { careful: this.#isCommitUnknown, durable }).catch(
      (error: unknown) => {
        if (!(error instanceof NotAllHeld)) throw error;
        return this.#writeMarks(returned, { careful: true, durable });
      },
    );
    this.#notOnDisk = durable ? 0 : this.#notOnDisk + returned.length;
    for (const effects of written) effects.committed(false);
    for (const { lease } of returned) this.#core.ports.phase('job.finished', lease.jobId);
  }

  /** Every job may run twice, so an end without last writes is repeatable. */
  #mustBeOnDisk(returned: readonly ReturnedJob[]): boolean {
    if (this.#durableEnds || this.#notOnDisk + returned.length > maxNotOnDisk) return true;
    return returned.some(({ lastWrites }) => lastWrites?.repeatable === false);
  }

  /**
   * Marks jobs, and makes the last writes of the jobs that it marked. `careful`: some jobs may already be marked or
   * lost. `durable`: whether the commit waits for the disk.
   */
  #writeMarks(
    returned: readonly ReturnedJob[],
    { careful, durable }: { readonly careful: boolean; readonly durable: boolean },
  ): Promise<readonly CallEffects[]> {
    const lastWritesOf = new Map(returned.map(({ lease, lastWrites }) => [lease.jobId, lastWrites]));
    const write = async (scope: TransactionScope): Promise<readonly CallEffects[]> => {
      const marked: string[] = [];
      for (const [token, group] of byToken(returned.map(({ lease }) => lease)))
        for (const list of inLists(group)) {
          const ids = list.map(({ jobId }) => jobId);
          marked.push(...(await this.#markList(scope, token, ids, careful)));
        }
      const effects: CallEffects[] = [];
      // One after another, because some of them use savepoints.
      for (const id of marked) {
        const lastWrites = lastWritesOf.get(id);
        if (lastWrites === undefined) continue;
        if ('write' in lastWrites) effects.push(await lastWrites.write(scope));
        else {
          scope.defer(lastWrites.statements);
          effects.push(lastWrites.effects);
        }
      }
      await scope.flush();
      for (const { lease } of returned) this.#core.ports.phase('job.finishing', lease.jobId);
      return effects;
    };
    const measured = (scope: TransactionScope) => this.#groupSize.measure(() => write(scope));
    const { precedence } = this.#core;
    const isBulk = returned.every((job) => job.isBulk);
    return queueTransaction(this.#database, measured, {
      durable,
      background: true,
      ...(isBulk && { isHeld: () => precedence.bulkMustWait() }),
    });
  }

  /** Marks jobs of one token. Returns the ids of the jobs that it marked. */
  async #markList(scope: TransactionScope, token: string, listed: readonly string[], careful: boolean) {
    const handle = scope.handle(unscopedReason);
    const now = this.#core.ports.now();
    if (!careful) {
      if ((await handle.run(...finishListed(listed, { token, now }))) !== listed.length) throw new NotAllHeld();
      return listed;
    }
    // Locked, because the server may still be executing the last COMMIT if its answer was lost. Jobs that it marked
    // have their last writes.
    const ids = (await handle.all(...lockLeasedListed(listed, { token }))).map(({ id }) => id);
    if (ids.length > 0) await handle.run(...finishListed(ids, { token, now }));
    if (ids.length < listed.length && !this.#isCommitUnknown)
      this.#core.log.warn({ jobs: listed.length - ids.length }, 'jobs lost their lease before they were marked done');
    return ids;
  }
}
