// Asynchronous waiting with a growing pause and a deadline. It never blocks the event loop. Called by the SQLite adapter whenever
// another connection has locked the database.

const maxPauseMs = 25;

/** Pauses of 1, 2, 4 … 25 ms until a deadline. */
export class Backoff {
  readonly #deadline: number;
  #pauseMs = 1;

  /** `deadline` is a reading of `performance.now()`. */
  constructor(deadline: number) {
    this.#deadline = deadline;
  }

  /** Waits for the next attempt. Returns false if the deadline has passed. */
  async pause(): Promise<boolean> {
    const leftMs = this.#deadline - performance.now();
    if (leftMs <= 0) return false;
    await new Promise((resolve) => setTimeout(resolve, Math.min(this.#pauseMs, leftMs)));
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs);
    return true;
  }
}
