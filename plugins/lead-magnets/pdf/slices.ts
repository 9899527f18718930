// Long work in slices: between them the process serves others.
import { setImmediate } from 'node:timers/promises';

const sliceMs = 15;

/** Gives way where the slice has lasted long enough. @throws what the signal was aborted with */
export function createSlices(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await setImmediate();
    signal.throwIfAborted();
    since = performance.now();
  };
}
