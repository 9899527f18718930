// A clock that stays at its time until a test advances it. For tests only.
import type { Clock } from '../../core/contract/ports/platform.ts';

/** The simulated time of a test. */
export interface SimulatedClock extends Clock {
  /** Advances the clock by this many milliseconds. A negative number sets it back. Returns the new time. */
  advance(milliseconds: number): number;
}

/**
 * Makes a clock that only `advance` moves.
 * @param start milliseconds since the epoch (Default: 2026-01-01T00:00:00.000Z)
 */
export function createSimulatedClock(start: number = Date.UTC(2026, 0, 1)): SimulatedClock {
  let time = start;
  return {
    now: () => time,
    advance(milliseconds) {
      if (!Number.isFinite(milliseconds)) throw new TypeError(`A clock moves by milliseconds, not by ${milliseconds}.`);
      time += milliseconds;
      return time;
    },
  };
}
