// Jobs that returned without a word are done: their rows are marked together, at a hundred or after 5 ms.
// Called by the worker. A job stays held until its mark is committed; one whose lease was lost is left alone.
import type { Core } from '../pipeline/core.ts';
import type { Database } from '../storage/database.ts';
import type { Lease } from './lease.ts';
import { byToken } from './leases.ts';
import { inLists } from './list-statement.ts';
import type { OutageLog } from './outage-log.ts';
import { finishListed } from './queue.ts';

const gathered = 100;
const gatherMs = 5;
const pauseMs = 250;

/** What is still to be marked. */
export class Acknowledgements {
  readonly #core: Core;
  readonly #database: Database;
  readonly #outages: OutageLog;
  readonly #onMarked: (leases: readonly Lease[]) => void;
  #waiting: Lease[] = [];
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hurry = false;

  /** `onMarked` is told of what needs to be held no longer. */
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

  add(lease: Lease): void {
    this.#waiting.push(lease);
    this.#next();
  }

  /** Marks what is there without gathering any more. */
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
    const leases = this.#waiting;
    this.#waiting = [];
    let done: readonly Lease[] = leases;
    try {
      await this.#mark(leases);
      this.#outages.over('marking finished jobs');
      for (const { jobId } of leases) this.#core.ports.phase('job.finished', jobId);
    } catch (error) {
      this.#outages.report('marking finished jobs', error);
      done = leases.filter(({ ended }) => ended === 'lost' || ended === 'stopped');
      this.#waiting = [...leases.filter((lease) => !done.includes(lease)), ...this.#waiting];
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#writing = undefined;
    this.#next();
    this.#onMarked(done);
  }

  async #mark(leases: readonly Lease[]): Promise<void> {
    const now = this.#core.ports.now();
    await this.#database.transact(async (scope) => {
      const handle = scope.handle(undefined);
      for (const [token, group] of byToken(leases)) {
        for (const list of inLists(group)) {
          const ids = list.map(({ jobId }) => jobId);
          const marked = await handle.run(...finishListed(ids, { token, now }));
          if (marked < ids.length) {
            this.#core.log.warn({ jobs: ids.length - marked }, 'jobs lost their lease before they were marked done');
          }
        }
      }
      for (const { jobId } of leases) this.#core.ports.phase('job.finishing', jobId);
    });
  }
}
