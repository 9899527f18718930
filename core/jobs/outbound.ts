// The lane of jobs that wait for other people's servers. It has slots of its own, so that hanging receivers hold up nobody
// else's work, and a limit for each concurrency key, so that one of them holds up no other. Called by the slots; pure bookkeeping.
import type { HasConcurrencyKey } from './round-robin.ts';
import { RoundRobinQueue } from './round-robin.ts';

/** How many jobs of one key run at the same time, over all processes: a key belongs to one process at a time. */
export const keyConcurrency = 10;
const widths = [
  { below: 1 / 2, width: keyConcurrency },
  { below: 3 / 4, width: keyConcurrency / 2 },
  { below: 7 / 8, width: 2 },
] as const;
/** How many jobs of one key are claimed at a time once a job of it succeeded. Before that no more than can run. */
const keyAhead = 64;
/** So many times the slots may be claimed in all. */
const laneAhead = 4;
/** How many keys are remembered as failing, and how many as proven. */
const maxRemembered = 10_000;

/** Remembers the latest. */
class Remembered {
  readonly #keys = new Set<string>();

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    const [first] = this.#keys;
    if (this.#keys.size > maxRemembered && first !== undefined) this.delete(first);
  }

  delete(key: string): void {
    this.#keys.delete(key);
  }
}

/** What follows from the end of a job. */
export interface OutboundEnd<T> {
  /** It is time to claim more. */
  readonly claim: boolean;
  /** The waiting jobs of a key whose job failed: they go back. */
  readonly giveBack: readonly T[];
}

/** What of the lane this process holds. */
export class Outbound<T extends HasConcurrencyKey> {
  readonly #concurrency: number;
  readonly #waiting = new RoundRobinQueue<T>();
  readonly #running = new Map<string, number>();
  /** Rows that are ours, by key: those that ended and are not marked yet, too. */
  readonly #rows = new Map<string, number>();
  /** Keys whose last job failed: they run one at a time until one succeeds. */
  readonly #ailing = new Remembered();
  /** Keys whose last job succeeded. */
  readonly #proven = new Remembered();
  /** Keys that had more jobs than the last claim could take. */
  readonly #cutShort = new Set<string>();
  #runs = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  get running(): number {
    return this.#runs;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  add(job: T): void {
    this.#waiting.add(job);
  }

  clear(): T[] {
    this.#cutShort.clear();
    return this.#waiting.clear();
  }

  /** A row became ours. */
  took({ concurrencyKey }: T): void {
    this.#rows.set(concurrencyKey, this.rowsOf(concurrencyKey) + 1);
  }

  /** A row is marked, put back or lost. */
  released({ concurrencyKey }: T): void {
    const left = this.rowsOf(concurrencyKey) - 1;
    if (left > 0) this.#rows.set(concurrencyKey, left);
    else this.#rows.delete(concurrencyKey);
  }

  /** How many rows of a key this process holds: where the database counts more, another has some. */
  rowsOf(key: string): number {
    return this.#rows.get(key) ?? 0;
  }

  /** The job that begins now, or undefined when no slot is free, or none for those that wait. */
  begin(): T | undefined {
    if (this.#runs >= this.#concurrency) return undefined;
    const job = this.#waiting.shift((key) => this.#of(key) < this.#widthOf(key));
    if (job === undefined) return undefined;
    this.#runs += 1;
    this.#running.set(job.concurrencyKey, this.#of(job.concurrencyKey) + 1);
    return job;
  }

  /** A job ended; `well` says whether the other side did its part. */
  end({ concurrencyKey }: T, well: boolean): OutboundEnd<T> {
    this.#runs -= 1;
    const left = this.#of(concurrencyKey) - 1;
    if (left > 0) this.#running.set(concurrencyKey, left);
    else this.#running.delete(concurrencyKey);
    (well ? this.#ailing : this.#proven).delete(concurrencyKey);
    (well ? this.#proven : this.#ailing).add(concurrencyKey);
    const giveBack = well ? [] : this.#waiting.take(concurrencyKey);
    if (giveBack.length > 0) this.#cutShort.add(concurrencyKey);
    if (!this.#cutShort.has(concurrencyKey) || this.#held(concurrencyKey) > this.#aheadOf(concurrencyKey) / 2)
      return { claim: false, giveBack };
    this.#cutShort.delete(concurrencyKey);
    return { claim: true, giveBack };
  }

  /** How many more may be claimed of the whole lane. */
  get room(): number {
    return Math.max(0, this.#concurrency * laneAhead - this.#runs - this.waiting);
  }

  /** How many more of one key may be claimed. */
  roomOf(key: string): number {
    return Math.max(0, this.#aheadOf(key) - this.#held(key));
  }

  /** A claim took less of this key than there was. */
  cutShort(key: string): void {
    this.#cutShort.add(key);
  }

  #held(key: string): number {
    return this.#of(key) + this.#waiting.waitingOf(key);
  }

  #of(key: string): number {
    return this.#running.get(key) ?? 0;
  }

  /** The fuller the slots, the fewer a key gets, so that the last slots are left for keys that have none yet. */
  #widthOf(key: string): number {
    if (this.#ailing.has(key)) return 1;
    const load = this.#runs / this.#concurrency;
    return widths.find(({ below }) => load < below)?.width ?? 1;
  }

  #aheadOf(key: string): number {
    if (this.#ailing.has(key)) return 1;
    return this.#proven.has(key) ? keyAhead : keyConcurrency;
  }
}
