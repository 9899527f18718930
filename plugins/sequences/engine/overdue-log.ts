// Logs that overdue sends were skipped: at most one line a minute for all of them. Called when a step is stored.
import type { ServiceContext } from '../../../core/index.ts';

const everyMs = 60_000;

/** `ctx.services.sequenceOverdue`. */
export interface OverdueLog {
  /** Counts one more skipped send. */
  skipped(log: ServiceContext['log'], sequence: string, now: number): void;
}

/** Creates the log of a process. */
export function createOverdueLog(): OverdueLog {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let unloggedCount = 0;
  return {
    skipped(log, sequence, now) {
      unloggedCount += 1;
      // If the clock was set back, log anyway.
      if (now >= loggedAt && now - loggedAt < everyMs) return;
      log.warn(
        { sequence, skipped: unloggedCount },
        'sends of sequences are skipped because they come too late: see settings.overdue',
      );
      loggedAt = now;
      unloggedCount = 0;
    },
  };
}

declare module '../../../core/contract/open.ts' {
  interface Services {
    sequenceOverdue: OverdueLog;
  }
}
