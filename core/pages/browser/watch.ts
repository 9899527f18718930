// Polls while the page is visible, and at once when it becomes visible.

/** The interval, in milliseconds. */
const pollMs = 1_500;
/** The interval while the service is unreachable. */
const unreachablePollMs = 4_000;

/** Calls `poll` until `stop` is called. `poll` returns whether it reached the service. `now` polls at once. */
export function watch(poll: () => Promise<boolean>): { now(): void; stop(): void } {
  let timer: number | undefined;
  let polling = false;
  let again = false;
  let stopped = false;

  const run = async (): Promise<void> => {
    window.clearTimeout(timer);
    if (polling) {
      again = true;
      return;
    }
    polling = true;
    again = false;
    const reached = await poll().finally(() => {
      polling = false;
    });
    if (stopped) return;
    if (again) return run();
    // A hidden page does not poll; visibilitychange resumes it.
    if (document.visibilityState === 'visible') timer = window.setTimeout(start, reached ? pollMs : unreachablePollMs);
  };
  const start = (): void => {
    run().catch((error: unknown) => reportError(error));
  };
  const wake = (): void => {
    if (document.visibilityState === 'visible') start();
  };
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('online', wake);
  return {
    now: start,
    stop() {
      stopped = true;
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', wake);
      window.removeEventListener('online', wake);
    },
  };
}
