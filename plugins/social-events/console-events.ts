import type { ConsoleEvents } from '../social/index.ts';
import { findEvent } from './kit/kit.ts';
import { linkedPostStatuses, presentRun } from './runs.ts';
import { runRows } from './tables.ts';

/** Creates `ctx.services.consoleSocialEvents`. */
export const createConsoleEvents = (): ConsoleEvents => ({
  async newest(ctx, limit) {
    const rows = await runRows.page(ctx.trx, { limit });
    const posts = await linkedPostStatuses(ctx, rows);
    return rows.map((row) => {
      const { runId, eventKey, status, postId, captions } = presentRun(row, posts);
      const name = findEvent(eventKey)?.name ?? eventKey;
      return { runId, name, eventKey, at: row.created_at, status, postId, captions };
    });
  },
});
