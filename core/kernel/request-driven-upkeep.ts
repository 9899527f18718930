// Upkeep in a process that serves requests but was never started. No timer runs there, so the usage of keys and budgets
// is written from time to time after a request. Called by compose.ts.

import { OutageLog } from '../jobs/outage-log.ts';
import type { Core } from '../pipeline/core.ts';

/** The same interval as in a started process. */
const everyMs = 10_000;
const task = 'upkeep after requests';

/** The upkeep of a process that serves requests but was never started. */
export interface RequestDrivenUpkeep {
  /** Usually only reads the clock; never delays the answer. */
  afterRequest(): void;
  /** Waits for running upkeep. */
  idle(): Promise<void>;
  /** Ends upkeep and waits for running upkeep. */
  end(): Promise<void>;
}

/** The upkeep of one service; the interval starts when this is called. */
export function createRequestDrivenUpkeep(core: Core, upkeep: () => Promise<void>): RequestDrivenUpkeep {
  const outages = new OutageLog(core.log);
  let last = performance.now();
  let running: Promise<void> | undefined;
  let ended = false;
  return {
    afterRequest() {
      if (ended || running !== undefined || performance.now() - last < everyMs) return;
      last = performance.now();
      running = upkeep()
        .then(
          () => outages.reportRecovery(task),
          (error: unknown) => outages.report(task, error),
        )
        .finally(() => {
          running = undefined;
        });
    },
    async idle() {
      await running;
    },
    async end() {
      ended = true;
      await running;
    },
  };
}
