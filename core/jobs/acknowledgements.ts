// Marks finished jobs as done in batches, together with the last writes of each job. A batch is written when it has a hundred
// jobs, or after 5 ms. An end whose last writes read rows waits longer: if it is repeatable, for 32 such ends or 50 ms, without
// its slot; otherwise in its slot, for half of all slots or 10 ms. If the worker has nothing else to do, nothing waits. Called by
// the worker. A job keeps its lease until its mark is committed. A job whose lease was lost is not marked.
import { isPassingFault, isStorageError } from '../contract/ports/storage.ts';
import type { CallEffects } from '../pipeline/call-effects.ts';
import type { Core } from '../pipeline/core.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { inLists } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import type { LastWrites } from './job-context.ts';
import type { Lease } from './lease.ts';
import { byToken } from './leases.ts';
import type { OutageLog } from './outage-log.ts';
import { finishListed, lockLeasedListed, postponeListed } from './queue.ts';
import { queueTransaction } from './queue-transaction.ts';

const everywhere = unscoped('the queue serves every workspace');

const gathered = 100;
const gatherMs = 5;
/** If jobs keep their slots, a batch is written when they use this share of all slots, or after this time. */
const gatheredOfSlots = 0.5;
const gatherInSlotsMs = 10;
/** A batch is written when it has this many repeatable ends, or after this time. */
const gatheredRepeatable = 32;
const gatherRepeatableMs = 50;
/**
 * The largest number of repeatable ends that wait for their commit without a slot: further ones keep their slots. If the
 * process dies, the outside work of all these jobs is repeated.
 */
export const maxUnmarked = 64;
/** The largest number of repeatable ends that may not be on disk: the next commit waits for the disk. */
const maxNotOnDisk = 100;
const pauseMs = 250;
/** The delay before a job without last writes runs again when the database refuses its mark. */
const refusedMs = 60_000;

interface Returned {
  readonly lease: Lease;
  readonly last: LastWrites | undefined;
  /** Ends the attempt as failed, if the database permanently refuses its last writes. */
  readonly refused: ((error: unknown) => Promise<unknown>) | undefined;
  readonly wait: ReturnType<typeof waitOf>;
  /** Called when the end is committed, or will not be written any more. */
  readonly settled: () => void;
}

/**
 * How an end waits for its commit: in its slot; without a slot if it is repeatable; or without any limit if its last writes do
 * not read.
 */
function waitOf(last: LastWrites | undefined): 'in its slot' | 'repeatable' | 'freely' {
  if (last === undefined || !('write' in last)) return 'freely';
  return last.repeatable ? 'repeatable' : 'in its slot';
}

/** Thrown inside a transaction, which is then repeated: some jobs of the batch are not running under our token. */
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
  #waiting: Returned[] = [];
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hurry = false;
  #timerMs = 0;
  /** The number of repeatable ends, with those that are being written. */
  #unmarked = 0;
  /** The slots that repeatable ends keep. */
  readonly #forRoom: (() => void)[] = [];
  /** How many ends were committed without waiting for the disk, since the last commit that waited for it. */
  #notOnDisk = 0;
  /** Whether the last transaction failed but may have been committed. */
  #unsure = false;

  /** `onMarked` is called with the leases that are no longer needed. */
  constructor(
    { core, database, outages, concurrency, durableEnds }: Parts,
    onMarked: (leases: readonly Lease[]) => void,
  ) {
    this.#core = core;
    this.#database = database;
    this.#outages = outages;
    this.#durableEnds = durableEnds;
    this.#fullSlots = Math.max(1, Math.floor(concurrency * gatheredOfSlots));
    this.#onMarked = onMarked;
  }

  /** Whether all jobs are marked. */
  get empty(): boolean {
    return this.#waiting.length === 0 && this.#writing === undefined;
  }

  /** Resolves when the job's slot may be freed. */
  add(lease: Lease, last: LastWrites | undefined, refused?: Returned['refused']): Promise<void> {
    const wait = waitOf(last);
    return new Promise((resolve) => {
      this.#waiting.push({ lease, last, refused, wait, settled: resolve });
      if (wait === 'repeatable') this.#unmarked += 1;
      if (wait === 'freely' || (wait === 'repeatable' && this.#unmarked - this.#forRoom.length <= maxUnmarked))
        resolve();
      else if (wait === 'repeatable') this.#forRoom.push(resolve);
      this.#next();
    });
  }

  /** Marks the jobs collected so far, without waiting for more. */
  flush(): void {
    this.#hurry = true;
    this.#next();
  }

  #next(): void {
    if (this.#writing !== undefined) return;
    if (this.#waiting.length === 0) {
      this.#hurry = false;
      return;
    }
    const inSlots = this.#count('in its slot');
    const repeatable = this.#count('repeatable');
    const isFull = inSlots >= this.#fullSlots || repeatable >= gatheredRepeatable || this.#waiting.length >= gathered;
    if (this.#hurry || isFull) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#writing = this.#write();
    } else this.#flushWithin(inSlots > 0 ? gatherInSlotsMs : repeatable > 0 ? gatherRepeatableMs : gatherMs);
  }

  #flushWithin(ms: number): void {
    if (this.#timer !== undefined && this.#timerMs <= ms) return;
    clearTimeout(this.#timer);
    this.#timerMs = ms;
    this.#timer = setTimeout(() => this.flush(), ms);
  }

  #count(wait: Returned['wait']): number {
    return this.#waiting.reduce((sum, one) => sum + (one.wait === wait ? 1 : 0), 0);
  }

  async #write(): Promise<void> {
    const returned = this.#waiting;
    this.#waiting = [];
    let done: readonly Returned[] = returned;
    const left = new Set(returned);
    try {
      await this.#markAll(returned, left);
      this.#unsure = false;
      this.#outages.over('marking finished jobs');
    } catch (error) {
      this.#outages.report('marking finished jobs', error);
      this.#unsure ||= isStorageError(error) && error.outcomeUnknown;
      done = returned.filter((one) => !left.has(one) || one.lease.ended === 'lost' || one.lease.ended === 'stopped');
      this.#waiting = [...returned.filter((one) => !done.includes(one)), ...this.#waiting];
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#writing = undefined;
    this.#unmarked -= done.filter(({ wait }) => wait === 'repeatable').length;
    this.#next();
    this.#makeRoom();
    this.#onMarked(done.map(({ lease }) => lease));
    for (const { settled } of done) settled();
  }

  #makeRoom(): void {
    for (const resolve of this.#forRoom.splice(0, Math.max(0, maxUnmarked - this.#unmarked + this.#forRoom.length)))
      resolve();
  }

  /**
   * Marks all jobs in one transaction. If the database refuses the writes of a job, each job gets its own transaction
   * and is then removed from `left`.
   */
  async #markAll(returned: readonly Returned[], left: Set<Returned>): Promise<void> {
    try {
      await this.#mark(returned);
    } catch (error) {
      if (isPassingFault(error) || returned.every(({ last }) => last === undefined)) throw error;
      for (const one of returned) {
        await this.#markOne(one);
        left.delete(one);
      }
    }
  }

  async #markOne(one: Returned): Promise<void> {
    try {
      await this.#mark([one]);
    } catch (error) {
      if (isPassingFault(error)) throw error;
      const { jobId, token } = one.lease;
      this.#core.log.error({ job_id: jobId, cause: String(error) }, 'the last writes of a job were refused');
      // The handler has already done its work outside. This counts as an attempt; otherwise a mail would be handed over
      // again for ever.
      if (one.refused !== undefined) {
        await one.refused(error);
        return;
      }
      const now = this.#core.ports.now();
      const postponed = postponeListed([jobId], { token, run_at: now + refusedMs, planned_at: now });
      await queueTransaction(this.#database, async (scope) => scope.handle(everywhere).run(...postponed));
    }
  }

  async #mark(returned: readonly Returned[]): Promise<void> {
    const durable = this.#mustBeOnDisk(returned);
    const written = await this.#writeMarks(returned, { careful: this.#unsure, durable }).catch((error: unknown) => {
      if (!(error instanceof NotAllHeld)) throw error;
      return this.#writeMarks(returned, { careful: true, durable });
    });
    this.#notOnDisk = durable ? 0 : this.#notOnDisk + returned.length;
    for (const effects of written) effects.committed(false);
    for (const { lease } of returned) this.#core.ports.phase('job.finished', lease.jobId);
  }

  /** Every job may run twice, so an end without last writes is repeatable. */
  #mustBeOnDisk(returned: readonly Returned[]): boolean {
    if (this.#durableEnds || this.#notOnDisk + returned.length > maxNotOnDisk) return true;
    return returned.some(({ last }) => last?.repeatable === false);
  }

  /**
   * Marks jobs, and makes the last writes of the jobs that it marked. `careful`: some jobs may already be marked or
   * lost. `durable`: whether the commit waits for the disk.
   */
  #writeMarks(
    returned: readonly Returned[],
    { careful, durable }: { readonly careful: boolean; readonly durable: boolean },
  ): Promise<readonly CallEffects[]> {
    const lastOf = new Map(returned.map(({ lease, last }) => [lease.jobId, last]));
    const write = async (scope: TransactionScope): Promise<readonly CallEffects[]> => {
      const marked: string[] = [];
      for (const [token, group] of byToken(returned.map(({ lease }) => lease)))
        for (const list of inLists(group)) {
          const ids = list.map(({ jobId }) => jobId);
          marked.push(...(await this.#markList(scope, token, ids, careful)));
        }
      const effects: CallEffects[] = [];
      for (const id of marked) {
        const last = lastOf.get(id);
        if (last === undefined) continue;
        if ('write' in last) effects.push(await last.write(scope));
        else {
          scope.defer(last.statements);
          effects.push(last.effects);
        }
      }
      await scope.flush();
      for (const { lease } of returned) this.#core.ports.phase('job.finishing', lease.jobId);
      return effects;
    };
    return queueTransaction(this.#database, write, { durable });
  }

  /** Marks jobs of one token. Returns the ids of the jobs that it marked. */
  async #markList(scope: TransactionScope, token: string, listed: readonly string[], careful: boolean) {
    const handle = scope.handle(everywhere);
    const now = this.#core.ports.now();
    if (!careful) {
      if ((await handle.run(...finishListed(listed, { token, now }))) !== listed.length) throw new NotAllHeld();
      return listed;
    }
    // Locked, because the server may still be executing the last COMMIT if its answer was lost. Jobs that it marked
    // have their last writes.
    const ids = (await handle.all(...lockLeasedListed(listed, { token }))).map(({ id }) => id);
    if (ids.length > 0) await handle.run(...finishListed(ids, { token, now }));
    if (ids.length < listed.length && !this.#unsure)
      this.#core.log.warn({ jobs: listed.length - ids.length }, 'jobs lost their lease before they were marked done');
    return ids;
  }
}
