// Repeats a transaction after a conflict with another one. Called by the pipeline for operations with `retryOnConflict`, by
// public pages that record a visitor's request, by erasures, and by all code that writes the queue's own rows. Never repeats
// work whose result is unknown.
import { setTimeout } from 'node:timers/promises';
import { isConflict } from '../contract/ports/storage.ts';

const maxRetries = 3;
/** Repeats wait for a random time, so that two conflicting transactions do not conflict again. */
const maxPauseMs = 20;

/**
 * Runs `work`, a whole transaction, and runs it again up to three times after a conflict. `signal`: if aborted, the conflict is
 * thrown. @throws the error of the last run of `work`
 */
export async function repeatOnConflict<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await work();
    } catch (error) {
      if (retries === maxRetries || !isConflict(error)) throw error;
      await setTimeout(Math.random() * maxPauseMs * (retries + 1));
      if (signal?.aborted === true) throw error;
    }
  }
}
