// The lane of jobs that wait for other organisations' servers. It has slots of its own, so that slow receivers delay no
// other jobs, and a limit for each concurrency key, so that one slow receiver does not delay the others. Called by the
// slots; does no I/O.
import { type HasConcurrencyKey, RoundRobinQueue } from './round-robin.ts';

/** How many jobs of one key run at the same time over all processes: only one process at a time holds jobs of a key. */
export const keyConcurrency = 10;
/** The number of slots for one key, by the share of all slots that are in use. */
const slotsPerKeyByLoad = [
  { below: 1 / 2, width: keyConcurrency },
  { below: 3 / 4, width: keyConcurrency / 2 },
  { below: 7 / 8, width: 2 },
] as const;
/** How many jobs of one key may be claimed after a job of the key succeeded. Before that, only as many as can run. */
const maxClaimedPerKey = 64;
/** The lane may claim this many times its slots. */
const claimsPerSlot = 4;
/** The largest number of keys in each memory: failing keys, and proven keys. */
const maxRemembered = 10_000;

/** Remembers the latest keys. */
class RecentKeys {
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

/** The consequences of a job's end. */
export interface OutboundEnd<T> {
  /** Whether to claim more jobs. */
  readonly claim: boolean;
  /** The waiting jobs of a key whose job failed: they are returned to the queue. */
  readonly giveBack: readonly T[];
}

/** The outbound jobs that this process holds. */
export class Outbound<T extends HasConcurrencyKey> {
  readonly #concurrency: number;
  readonly #waiting = new RoundRobinQueue<T>();
  readonly #running = new Map<string, number>();
  /** Held rows by key, including ended jobs that are not marked yet. */
  readonly #rows = new Map<string, number>();
  /** Keys whose last job failed: they run one job at a time until a job succeeds. */
  readonly #failing = new RecentKeys();
  /** Keys whose last job succeeded. */
  readonly #proven = new RecentKeys();
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

  /** Records that a row was claimed. */
  recordClaim({ concurrencyKey }: T): void {
    this.#rows.set(concurrencyKey, this.rowsOf(concurrencyKey) + 1);
  }

  /** Records that a row was marked, put back or lost. */
  recordRelease({ concurrencyKey }: T): void {
    const remaining = this.rowsOf(concurrencyKey) - 1;
    if (remaining > 0) this.#rows.set(concurrencyKey, remaining);
    else this.#rows.delete(concurrencyKey);
  }

  /** The number of rows of a key in this process: if the database counts more, another process holds some. */
  rowsOf(key: string): number {
    return this.#rows.get(key) ?? 0;
  }

  /** The next job to begin, or undefined when no slot is free for a waiting job. */
  begin(): T | undefined {
    if (this.#runs >= this.#concurrency) return undefined;
    const job = this.#waiting.shift((key) => this.#of(key) < this.#widthOf(key));
    if (job === undefined) return undefined;
    this.#runs += 1;
    this.#running.set(job.concurrencyKey, this.#of(job.concurrencyKey) + 1);
    return job;
  }

  /** Records that a job ended; `succeeded`: whether the receiver accepted it. */
  end({ concurrencyKey }: T, succeeded: boolean): OutboundEnd<T> {
    this.#runs -= 1;
    const remaining = this.#of(concurrencyKey) - 1;
    if (remaining > 0) this.#running.set(concurrencyKey, remaining);
    else this.#running.delete(concurrencyKey);
    (succeeded ? this.#failing : this.#proven).delete(concurrencyKey);
    (succeeded ? this.#proven : this.#failing).add(concurrencyKey);
    const giveBack = succeeded ? [] : this.#waiting.take(concurrencyKey);
    if (giveBack.length > 0) this.#cutShort.add(concurrencyKey);
    if (!this.#cutShort.has(concurrencyKey) || this.#held(concurrencyKey) > this.#aheadOf(concurrencyKey) / 2)
      return { claim: false, giveBack };
    this.#cutShort.delete(concurrencyKey);
    return { claim: true, giveBack };
  }

  /** How many more jobs of the whole lane may be claimed. */
  get room(): number {
    return Math.max(0, this.#concurrency * claimsPerSlot - this.#runs - this.waiting);
  }

  /** How many more jobs of one key may be claimed. */
  roomOf(key: string): number {
    return Math.max(0, this.#aheadOf(key) - this.#held(key));
  }

  /** Records that a claim left jobs of this key behind. */
  recordCutShort(key: string): void {
    this.#cutShort.add(key);
  }

  #held(key: string): number {
    return this.#of(key) + this.#waiting.waitingOf(key);
  }

  #of(key: string): number {
    return this.#running.get(key) ?? 0;
  }

  /**
   * The number of slots for a key. The fuller the slots are, the fewer slots a key gets, so that the last slots stay
   * free for new keys.
   */
  #widthOf(key: string): number {
    if (this.#failing.has(key)) return 1;
    const load = this.#runs / this.#concurrency;
    return slotsPerKeyByLoad.find(({ below }) => load < below)?.width ?? 1;
  }

  #aheadOf(key: string): number {
    if (this.#failing.has(key)) return 1;
    return this.#proven.has(key) ? maxClaimedPerKey : keyConcurrency;
  }
}
