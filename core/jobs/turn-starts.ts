// How many jobs begin in one turn of the event loop, so that calls and urgent jobs do not wait behind a burst of short jobs. Called by the
// worker. Adapts itself to the work of the jobs.
import { processorMs } from './group-size.ts';

/**
 * The limits of the number. It halves when a turn with the work of its jobs took more than `longTurnMs` of processor time, and doubles
 * after full turns within `shortTurnMs`.
 */
const maxStarts = 64;
const minStarts = 1;
const firstStarts = 4;
const longTurnMs = 6;
const shortTurnMs = 3;

/** Counts the jobs that begin in the present turn. */
export class TurnStarts {
  readonly #onRoom: () => void;
  #started = 0;
  #limit = firstStarts;

  /** `onRoom` is called in the turn after a full one. */
  constructor(onRoom: () => void) {
    this.#onRoom = onRoom;
  }

  get isFull(): boolean {
    return this.#started >= this.#limit;
  }

  /** Records that a job begins. */
  record(): void {
    if (this.#started === 0) this.#watch();
    this.#started += 1;
  }

  #watch(): void {
    const began = processorMs();
    setImmediate(() => {
      const tookMs = processorMs() - began;
      const wasFull = this.isFull;
      this.#started = 0;
      if (tookMs > longTurnMs) this.#limit = Math.max(minStarts, this.#limit >> 1);
      else if (wasFull && tookMs < shortTurnMs) this.#limit = Math.min(maxStarts, this.#limit * 2);
      if (wasFull) this.#onRoom();
    });
  }
}
