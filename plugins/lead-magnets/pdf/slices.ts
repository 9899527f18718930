// Splits long work into slices, so that the process can serve other requests between them.
import { setImmediate } from 'node:timers/promises';

const sliceMs = 15;

/**
 * Returns a function that yields to the event loop if the current slice has lasted long enough.
 * @throws the reason of the signal's abort
 */
export function createSlices(signal: AbortSignal): () => Promise<void> {
  let sliceStart = performance.now();
  return async () => {
    if (performance.now() - sliceStart < sliceMs) return;
    await setImmediate();
    signal.throwIfAborted();
    sliceStart = performance.now();
  };
}
