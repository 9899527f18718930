// How many items one transaction takes, so that calls and urgent jobs do not wait long behind it. A storage in the
// process, such as SQLite, blocks the event loop for the whole transaction; a server does not. The size adapts to
// measured times, so that no caller needs to know the storage. Processor time is measured, because on a busy machine
// the clock also counts the work of other programs.

/** The processor time of this process, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The limits of a group. */
export interface GroupLimits {
  readonly min: number;
  readonly max: number;
  /** The longest time for which one group may block the event loop, in milliseconds of processor time. */
  readonly maxBlockMs: number;
}

/**
 * The size of the next group. It halves if a group blocked the event loop too long, and doubles if a group took less than
 * half the limit.
 */
export class GroupSize {
  readonly #limits: GroupLimits;
  #current: number;

  constructor(limits: GroupLimits) {
    this.#limits = limits;
    this.#current = limits.min;
  }

  get current(): number {
    return this.#current;
  }

  /**
   * Runs the work of one group, and adapts the size to it. Only the part in `work` counts, so leave out the wait for
   * the writer.
   */
  async measure<T>(work: () => Promise<T>): Promise<T> {
    const { min, max, maxBlockMs: holdMs } = this.#limits;
    const began = processorMs();
    let isSameTurn = true;
    const turnEnd = setImmediate(() => {
      isSameTurn = false;
    });
    try {
      return await work();
    } finally {
      clearImmediate(turnEnd);
      const blockedMs = isSameTurn ? processorMs() - began : 0;
      if (blockedMs > holdMs) this.#current = Math.max(min, Math.floor(this.#current / 2));
      else if (blockedMs < holdMs / 2) this.#current = Math.min(max, this.#current * 2);
    }
  }
}
