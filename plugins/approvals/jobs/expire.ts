import { defineJob, z } from '../../../core/index.ts';
import { releaseTarget } from '../release.ts';
import { endRequest } from '../requests.ts';
import { requestRows } from '../tables.ts';
import { expireKind } from './kinds.ts';

/** Ends a request on which no member decided in time. */
export const expire = defineJob({
  kind: expireKind,
  payload: z.object({ requestId: z.string() }),

  async handler(ctx, { requestId }) {
    await ctx.complete(async (tx) => {
      const row = await requestRows.lock(tx.trx, requestId);
      if (row?.status !== 'pending' || row.expires_at > tx.now) return;
      await releaseTarget(tx, await endRequest(tx, row, 'expired'));
    });
  },
});
