// Marks finished jobs as done in batches, together with the last writes of each job. A batch is written at a hundred
// jobs or after 5 ms. If jobs keep their slots until then, it is written at half of the slots or after 10 ms.
// Called by the worker. A job keeps its lease until its mark is committed; a job whose lease was lost is left alone.
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
import { finishListed, lockHeldListed, postponeListed } from './queue.ts';

const everywhere = unscoped('the queue serves every workspace');

const gathered = 100;
const gatherMs = 5;
/** If jobs keep their slots, a batch is written when they use this share of all slots, or after this time. */
const gatheredOfSlots = 0.5;
const gatherInSlotsMs = 10;
const pauseMs = 250;
/** The delay before a job without last writes runs again when the database refuses its mark. */
const refusedMs = 60_000;

interface Returned {
  readonly lease: Lease;
  readonly last: LastWrites | undefined;
  /** Ends the try as failed, if the database permanently refuses its last writes. */
  readonly refused: ((error: unknown) => Promise<unknown>) | undefined;
}

/** Thrown inside a transaction, which is then repeated: some jobs of the batch are not running under our token. */
class NotAllHeld extends Error {}

interface Parts {
  readonly core: Core;
  readonly database: Database;
  readonly outages: OutageLog;
  readonly concurrency: number;
}

/** The jobs that are not marked yet. */
export class Acknowledgements {
  readonly #core: Core;
  readonly #database: Database;
  readonly #outages: OutageLog;
  readonly #fullSlots: number;
  readonly #onMarked: (leases: readonly Lease[]) => void;
  #waiting: Returned[] = [];
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hurry = false;
  /** The number of waiting jobs that keep their slots. */
  #inSlots = 0;
  /** Whether the last transaction failed but may have been committed. */
  #unsure = false;

  /** `onMarked` is called with the leases that are no longer needed. */
  constructor({ core, database, outages, concurrency }: Parts, onMarked: (leases: readonly Lease[]) => void) {
    this.#core = core;
    this.#database = database;
    this.#outages = outages;
    this.#fullSlots = Math.max(1, Math.floor(concurrency * gatheredOfSlots));
    this.#onMarked = onMarked;
  }

  /** Whether all jobs are marked. */
  get empty(): boolean {
    return this.#waiting.length === 0 && this.#writing === undefined;
  }

  add(lease: Lease, last: LastWrites | undefined, refused?: Returned['refused']): void {
    this.#waiting.push({ lease, last, refused });
    if (last !== undefined && 'write' in last) this.#inSlots += 1;
    this.#next();
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
    if (this.#hurry || this.#waiting.length >= gathered || this.#inSlots >= this.#fullSlots) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#writing = this.#write();
    } else {
      this.#timer ??= setTimeout(() => this.flush(), this.#inSlots > 0 ? gatherInSlotsMs : gatherMs);
    }
  }

  async #write(): Promise<void> {
    const returned = this.#waiting;
    this.#waiting = [];
    this.#inSlots = 0;
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
    this.#next();
    this.#onMarked(done.map(({ lease }) => lease));
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
      // The handler has already done its work outside. This counts as a try; otherwise a mail would be handed over
      // again for ever.
      if (one.refused !== undefined) {
        await one.refused(error);
        return;
      }
      const now = this.#core.ports.now();
      const postponed = postponeListed([jobId], { token, run_at: now + refusedMs, planned_at: now });
      await this.#database.transact(async (scope) => scope.handle(everywhere).run(...postponed));
    }
  }

  async #mark(returned: readonly Returned[]): Promise<void> {
    const written = await this.#writeMarks(returned, this.#unsure).catch((error: unknown) => {
      if (!(error instanceof NotAllHeld)) throw error;
      return this.#writeMarks(returned, true);
    });
    for (const effects of written) effects.committed(false);
    for (const { lease } of returned) this.#core.ports.phase('job.finished', lease.jobId);
  }

  /**
   * Marks jobs, and makes the last writes of the jobs that it marked. `careful`: some jobs may already be marked or
   * lost.
   */
  #writeMarks(returned: readonly Returned[], careful: boolean): Promise<readonly CallEffects[]> {
    const lastOf = new Map(returned.map(({ lease, last }) => [lease.jobId, last]));
    return this.#database.transact(async (scope) => {
      const marked: string[] = [];
      for (const [token, group] of byToken(returned.map(({ lease }) => lease)))
        for (const list of inLists(group)) {
          const ids = list.map(({ jobId }) => jobId);
          marked.push(...(await this.#markList(scope, token, ids, careful)));
        }
      const made: CallEffects[] = [];
      for (const id of marked) {
        const last = lastOf.get(id);
        if (last === undefined) continue;
        if ('write' in last) made.push(await last.write(scope));
        else {
          scope.defer(last.statements);
          made.push(last.effects);
        }
      }
      await scope.flush();
      for (const { lease } of returned) this.#core.ports.phase('job.finishing', lease.jobId);
      return made;
    });
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
    const ids = (await handle.all(...lockHeldListed(listed, { token }))).map(({ id }) => id);
    if (ids.length > 0) await handle.run(...finishListed(ids, { token, now }));
    if (ids.length < listed.length && !this.#unsure)
      this.#core.log.warn({ jobs: listed.length - ids.length }, 'jobs lost their lease before they were marked done');
    return ids;
  }
}
