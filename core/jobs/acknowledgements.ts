// Marks finished jobs as done in batches, at a hundred jobs or after 5 ms, together with the deferred writes of each.
// Called by the worker. A job keeps its lease until its mark is committed; a job whose lease was lost is left alone.
import { isPassingFault, isStorageError } from '../contract/ports/storage.ts';
import type { Core } from '../pipeline/core.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { inLists } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import type { LastWrites } from './job-context.ts';
import type { Lease } from './lease.ts';
import { byToken } from './leases.ts';
import type { OutageLog } from './outage-log.ts';
import { doneOfListed, finishListed, postponeListed } from './queue.ts';

const everywhere = unscoped('the queue serves every workspace');

const gathered = 100;
const gatherMs = 5;
const pauseMs = 250;
/** The delay before a job runs again when the database refuses its last writes. */
const refusedMs = 60_000;

interface Returned {
  readonly lease: Lease;
  readonly last: LastWrites | undefined;
}

/** The jobs that are not marked yet. */
export class Acknowledgements {
  readonly #core: Core;
  readonly #database: Database;
  readonly #outages: OutageLog;
  readonly #onMarked: (leases: readonly Lease[]) => void;
  #waiting: Returned[] = [];
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hurry = false;
  /** Whether the last try failed but may have been committed. */
  #unsure = false;

  /** `onMarked` is called with the leases that are no longer needed. */
  constructor(core: Core, database: Database, outages: OutageLog, onMarked: (leases: readonly Lease[]) => void) {
    this.#core = core;
    this.#database = database;
    this.#outages = outages;
    this.#onMarked = onMarked;
  }

  /** Whether everything is marked. */
  get empty(): boolean {
    return this.#waiting.length === 0 && this.#writing === undefined;
  }

  add(lease: Lease, last: LastWrites | undefined): void {
    this.#waiting.push({ lease, last });
    this.#next();
  }

  /** Marks what is collected so far without waiting. */
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
    if (this.#hurry || this.#waiting.length >= gathered) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#writing = this.#write();
    } else {
      this.#timer ??= setTimeout(() => this.flush(), gatherMs);
    }
  }

  async #write(): Promise<void> {
    const returned = this.#waiting;
    this.#waiting = [];
    let done: readonly Returned[] = returned;
    try {
      await this.#markAll(returned);
      this.#unsure = false;
      this.#outages.over('marking finished jobs');
      for (const { lease } of returned) this.#core.ports.phase('job.finished', lease.jobId);
    } catch (error) {
      this.#outages.report('marking finished jobs', error);
      this.#unsure ||= isStorageError(error) && error.outcomeUnknown;
      done = returned.filter(({ lease }) => lease.ended === 'lost' || lease.ended === 'stopped');
      this.#waiting = [...returned.filter((one) => !done.includes(one)), ...this.#waiting];
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#writing = undefined;
    this.#next();
    this.#onMarked(done.map(({ lease }) => lease));
  }

  /** All in one transaction; where the database refuses the writes of one job, each in its own. */
  async #markAll(returned: readonly Returned[]): Promise<void> {
    try {
      await this.#mark(returned);
    } catch (error) {
      if (isPassingFault(error) || returned.every(({ last }) => last === undefined)) throw error;
      for (const one of returned) await this.#markOne(one);
    }
  }

  async #markOne(one: Returned): Promise<void> {
    try {
      await this.#mark([one]);
    } catch (error) {
      if (isPassingFault(error)) throw error;
      const { jobId, token } = one.lease;
      this.#core.log.error(
        { job_id: jobId, cause: String(error) },
        'the last writes of a job were refused; it comes back',
      );
      const run_at = this.#core.ports.now() + refusedMs;
      await this.#database.transact(async (scope) =>
        scope.handle(everywhere).run(...postponeListed([jobId], { token, run_at })),
      );
    }
  }

  async #mark(returned: readonly Returned[]): Promise<void> {
    const lastOf = new Map(returned.map(({ lease, last }) => [lease.jobId, last]));
    const written = await this.#database.transact(async (scope) => {
      const marked: string[] = [];
      for (const [token, group] of byToken(returned.map(({ lease }) => lease)))
        for (const list of inLists(group))
          marked.push(
            ...(await this.#markList(
              scope,
              token,
              list.map(({ jobId }) => jobId),
            )),
          );
      for (const id of marked) scope.defer(lastOf.get(id)?.statements ?? []);
      await scope.flush();
      for (const { lease } of returned) this.#core.ports.phase('job.finishing', lease.jobId);
      return marked;
    });
    for (const id of written) lastOf.get(id)?.effects.committed(false);
  }

  /** Marks jobs of one token; answers those whose lease was not lost. */
  async #markList(scope: TransactionScope, token: string, listed: readonly string[]): Promise<readonly string[]> {
    const handle = scope.handle(everywhere);
    const doneOf = async (ids: readonly string[]) =>
      (await handle.all(...doneOfListed(ids, { token }))).map(({ id }) => id);
    // The answer to the last COMMIT was lost: jobs that are done now were marked then, with all their deferred writes.
    const before = this.#unsure ? await doneOf(listed) : [];
    const ids = listed.filter((id) => !before.includes(id));
    if (ids.length === 0) return [];
    const marked = await handle.run(...finishListed(ids, { token, now: this.#core.ports.now() }));
    if (marked === ids.length) return ids;
    this.#core.log.warn({ jobs: ids.length - marked }, 'jobs lost their lease before they were marked done');
    return (await doneOf(ids)).filter((id) => !before.includes(id));
  }
}
