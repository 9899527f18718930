// The time limits of a call: after the limit it is refused, and its transaction rolls back. Called by call-strategies.ts.
import { coreErrors } from '../contract/errors/core-errors.ts';

/** Returns the result of `work`, or rejects after the time limit, so that the transaction around `work` rolls back. */
export async function withinTime<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(coreErrors.request_timeout({ seconds })), seconds * 1_000);
  });
  try {
    return await Promise.race([work(), ended]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same for work that takes a signal. The signal is aborted by the time limit, or when the caller disconnects. */
export async function untilAborted<T>(
  seconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(seconds * 1_000);
  const combinedSignal = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  const ended = new Promise<never>((_, reject) => {
    const end = () => reject(coreErrors.request_timeout({ seconds }));
    if (combinedSignal.aborted) end();
    else combinedSignal.addEventListener('abort', end, { once: true });
  });
  return Promise.race([work(combinedSignal), ended]);
}
