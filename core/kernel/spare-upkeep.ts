// Upkeep in a process that serves requests and is never started: what it remembers of keys and budgets is written now
// and then after a request, because no timer of ours runs there. Called by compose.ts.

import { OutageLog } from '../jobs/outage-log.ts';
import type { Core } from '../pipeline/core.ts';

/** As often as a started process does it. */
const everyMs = 10_000;
const what = 'upkeep beside requests';

/** Upkeep beside requests. */
export interface SpareUpkeep {
  /** Costs nothing but a look at the clock, most times; never holds the answer up. */
  afterRequest(): void;
  /** No more of it; waits for what runs. */
  end(): Promise<void>;
}

/** For one service; begins to count when it is made. */
export function createSpareUpkeep(core: Core, upkeep: () => Promise<void>): SpareUpkeep {
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
          () => outages.over(what),
          (error: unknown) => outages.report(what, error),
        )
        .finally(() => {
          running = undefined;
        });
    },
    async end() {
      ended = true;
      await running;
    },
  };
}
