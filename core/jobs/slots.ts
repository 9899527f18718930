// Decides which claimed job begins next, and how many jobs may be claimed. Called by the worker; does no I/O. The order
// is urgent, normal, bulk. The last slots stay free for higher lanes, but no lane starves.
import { bulkLane, lanes } from '../contract/declaration/jobs.ts';
import { Outbound, type OutboundEnd } from './outbound.ts';
import { type HasConcurrencyKey, RoundRobinQueue } from './round-robin.ts';

/** The index of the outbound lane, which has slots of its own. */
export const outboundLane = lanes.indexOf('outbound');
const noConsequences = { claim: false, giveBack: [] } as const;
const rankedLanes = lanes.filter((lane) => lane !== 'outbound');

/**
 * Claimed jobs should wait about this long before they begin: short enough for fairness, long enough to keep the slots
 * busy.
 */
const aheadMs = 200;
const maxAhead = 512;
/**
 * The largest number of references of an external queue in this process, for each slot: enough to keep the slots busy
 * with the shortest jobs.
 */
const maxReferencesPerSlot = 8;
/** Every n-th start takes a job of a lower lane, even if jobs wait in higher lanes. */
const lowerLaneInterval = 16;

/** The moving average of the latest times. */
const averageOf = (averageMs: number | undefined, tookMs: number): number =>
  averageMs === undefined ? tookMs : averageMs * 0.9 + tookMs * 0.1;

/** The number of jobs that the slots finish in `aheadMs`. */
const aheadOf = (slots: number, averageMs: number | undefined): number =>
  averageMs === undefined ? slots : Math.round((slots * aheadMs) / Math.max(averageMs, 0.01));

/** The jobs of one process that wait for a slot, and the slots. */
export class Slots<T extends HasConcurrencyKey & { readonly lane: number }> {
  readonly outbound: Outbound<T>;
  readonly #concurrency: number;
  readonly #outboundConcurrency: number;
  /** The number of slots that each lower lane leaves free: 0 of fewer than 3 slots, 1 of up to 15 slots, else an eighth. */
  readonly #reserved: number;
  readonly #waiting = rankedLanes.map(() => new RoundRobinQueue<T>());
  readonly #runningIn = rankedLanes.map(() => 0);
  #running = 0;
  #starts = 0;
  #averageMs: number | undefined;
  #outboundMs: number | undefined;

  constructor(concurrency: number, outboundConcurrency: number) {
    this.#concurrency = concurrency;
    this.#outboundConcurrency = outboundConcurrency;
    this.outbound = new Outbound(outboundConcurrency);
    this.#reserved = concurrency < 3 ? 0 : Math.max(1, Math.floor(concurrency / 8));
  }

  get running(): number {
    return this.#running + this.outbound.running;
  }

  get waiting(): number {
    return this.#rankedWaiting() + this.outbound.waiting;
  }

  /** Whether to claim more: half of the jobs that may wait have begun. */
  get isLow(): boolean {
    return this.#rankedWaiting() <= this.#ahead() / 2;
  }

  add(job: T): void {
    (job.lane === outboundLane ? this.outbound : this.#waiting[job.lane])?.add(job);
  }

  /** Removes and returns all jobs that have not begun. */
  clear(): T[] {
    return [...this.#waiting.flatMap((queue) => queue.clear()), ...this.outbound.clear()];
  }

  /** The number of bulk jobs that wait for a slot. */
  get waitingBulk(): number {
    return this.#waiting[bulkLane]?.size ?? 0;
  }

  /**
   * The next job to begin, or undefined when no slot is free for a waiting job. If `withBulk` is false, it is a bulk job only if the bulk
   * lane is starving.
   */
  begin(withBulk = true): T | undefined {
    const lane = this.#starvedLane() ?? this.#highestLane(withBulk);
    const job = lane === undefined ? undefined : this.#waiting[lane]?.shift();
    if (job === undefined) return this.outbound.begin();
    this.#starts += 1;
    this.#running += 1;
    this.#runningIn[job.lane] = this.#in(job.lane) + 1;
    return job;
  }

  /**
   * Records that a job ended after `tookMs`, and whether it succeeded. Returns the consequences for the outbound lane.
   */
  end(job: T, tookMs: number, succeeded: boolean): OutboundEnd<T> {
    if (job.lane === outboundLane) {
      this.#outboundMs = averageOf(this.#outboundMs, tookMs);
      return this.outbound.end(job, succeeded);
    }
    this.#running -= 1;
    this.#runningIn[job.lane] = this.#in(job.lane) - 1;
    this.#averageMs = averageOf(this.#averageMs, tookMs);
    return noConsequences;
  }

  /**
   * How many jobs of a lane may be claimed if `taken` jobs come from the lanes before it. Never 0 for a starving lane.
   */
  room(lane: number, taken: number): number {
    if (lane === outboundLane) return this.outbound.room;
    const waitingBefore = this.#waiting.slice(0, lane + 1).reduce((sum, queue) => sum + queue.size, 0);
    const room = this.#freeFor(lane) + this.#ahead() - waitingBefore - taken;
    return Math.max(room, this.#mayTakeSlot(lane) && this.#waiting[lane]?.size === 0 ? 1 : 0);
  }

  /**
   * How many jobs of a lane an external queue may have delivered to this process: running jobs, and jobs that begin
   * soon. If the process dies, its further jobs would wait until their leases expire.
   */
  prefetchLimit(lane: number): number {
    const isOutbound = lane === outboundLane;
    const slots = isOutbound ? this.#outboundConcurrency : this.#concurrency;
    const ahead = aheadOf(slots, isOutbound ? this.#outboundMs : this.#averageMs);
    return Math.min(this.maxPrefetchLimit(lane), slots + Math.max(ahead, Math.ceil(slots / maxReferencesPerSlot)));
  }

  /** The largest value that `prefetchLimit` returns. */
  maxPrefetchLimit(lane: number): number {
    return maxReferencesPerSlot * (lane === outboundLane ? this.#outboundConcurrency : this.#concurrency);
  }

  #rankedWaiting(): number {
    return this.#waiting.reduce((sum, queue) => sum + queue.size, 0);
  }

  #in(lane: number): number {
    return this.#runningIn[lane] ?? 0;
  }

  /** The number of jobs that may wait: as many as the slots finish in `aheadMs`. */
  #ahead(): number {
    return Math.min(maxAhead, aheadOf(this.#concurrency, this.#averageMs));
  }

  #freeFor(lane: number): number {
    return Math.max(0, Math.max(1, this.#concurrency - lane * this.#reserved) - this.#running);
  }

  /**
   * A starving lane may take up to `#reserved` slots out of order, at least one: its long jobs must not fill all slots
   * that are kept free.
   */
  #mayTakeSlot(lane: number): boolean {
    return lane > 0 && this.#in(lane) < Math.max(1, this.#reserved) && this.#running < this.#concurrency;
  }

  #starvedLane(): number | undefined {
    if (this.#starts % lowerLaneInterval !== lowerLaneInterval - 1) return undefined;
    const round = Math.floor(this.#starts / lowerLaneInterval);
    const order = round % 2 === 0 ? [2, 1] : [1, 2];
    return order.find((lane) => this.#mayTakeSlot(lane) && (this.#waiting[lane]?.size ?? 0) > 0);
  }

  #highestLane(withBulk: boolean): number | undefined {
    const lane = this.#waiting.findIndex(
      (queue, index) => queue.size > 0 && this.#freeFor(index) > 0 && (withBulk || index !== bulkLane),
    );
    return lane < 0 ? undefined : lane;
  }
}
