// Interactive work goes before bulk work in this process: while a call or an urgent job is under way, jobs of the lane `bulk` begin nothing
// new. Bulk work goes on after a short wait in any case, so that neither a slow call nor an endless stream of calls can stop it. Calls and
// urgent jobs report themselves here; the worker and the contexts of bulk jobs wait here for their turn.
import { afterLimit } from '../contract/values/deadlines.ts';

/** The longest time for which one call or job counts as under way, in milliseconds. After that time, it probably waits for something. */
const maxUnderWayMs = 200;
/** The longest time for which bulk work waits, in milliseconds. */
const maxWaitMs = 200;
/** After such a wait, bulk work does not wait again for this time, in milliseconds. */
const noWaitMs = 200;

/** The clock by which `Precedence` measures its times. */
export interface PrecedenceClock {
  /** Milliseconds since any start. */
  now(): number;
  /** Calls `work` after this many milliseconds, unless the returned function was called before. */
  after(ms: number, work: () => void): () => void;
}

const systemClock: PrecedenceClock = { now: () => performance.now(), after: afterLimit };

/** Decides when the bulk work of one service must wait for its interactive work, in this process. */
export class Precedence {
  readonly #clock: PrecedenceClock;
  /** The calls and urgent jobs that are under way, the earliest first. */
  readonly #underWay = new Set<{ readonly until: number }>();
  readonly #waiting: (() => void)[] = [];
  /** The time since which bulk work waits. It does not change while calls end and begin, until bulk work may go on. */
  #heldSince: number | undefined;
  #freeUntil = Number.NEGATIVE_INFINITY;
  #cancelCheck: (() => void) | undefined;

  constructor(clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * Reports that interactive work begins. Call the returned function when the work has ended, or begins to wait for something outside
   * of this process.
   */
  begin(): () => void {
    const now = this.#clock.now();
    this.#dropLate(now);
    const work = { until: now + maxUnderWayMs };
    this.#underWay.add(work);
    return () => {
      if (!this.#underWay.delete(work) || this.#underWay.size > 0 || this.#waiting.length === 0) return;
      // The result of the interactive work leaves first.
      setImmediate(() => this.#admit());
    };
  }

  /** Whether bulk work must wait before it begins anything. */
  bulkMustWait(): boolean {
    const now = this.#clock.now();
    this.#dropLate(now);
    if (this.#underWay.size > 0 && now >= this.#freeUntil) {
      this.#heldSince ??= now;
      if (now - this.#heldSince < maxWaitMs) return true;
      this.#freeUntil = now + noWaitMs;
    }
    this.#heldSince = undefined;
    return false;
  }

  /** Resolves when bulk work may begin something. */
  waitForTurn(): Promise<void> {
    if (!this.bulkMustWait()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#checkLater();
    });
  }

  #dropLate(now: number): void {
    for (const work of this.#underWay) {
      if (work.until > now) break;
      this.#underWay.delete(work);
    }
  }

  #admit(): void {
    if (this.bulkMustWait()) {
      this.#checkLater();
      return;
    }
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #checkLater(): void {
    if (this.#cancelCheck !== undefined) return;
    const now = this.#clock.now();
    const last = [...this.#underWay].at(-1)?.until ?? now;
    const until = Math.min(last, (this.#heldSince ?? now) + maxWaitMs);
    this.#cancelCheck = this.#clock.after(Math.max(1, until - now), () => {
      this.#cancelCheck = undefined;
      this.#admit();
    });
  }
}
