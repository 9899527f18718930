// Deletes the remaining rows of a deleted list on one side, in small transactions. Without their list, memberships are not shown.
import { defineJob, z } from '../../../core/index.ts';
import { deleteMembers, removeListData, someMembers } from '../store.ts';
import { removeListKind } from './kinds.ts';

const batch = 1_000;

export const removeList = defineJob({
  kind: removeListKind,
  payload: z.object({ listId: z.string() }),
  lane: 'bulk',
  timeoutMs: 300_000,

  async handler(ctx, { listId }) {
    for (let more = true; more; ) {
      ctx.signal.throwIfAborted();
      const removed = await ctx.checkpoint(async ({ trx }) => {
        const ids = await someMembers(trx, listId, batch);
        await deleteMembers(trx, listId, ids);
        return ids.length;
      });
      more = removed === batch;
    }
    await ctx.complete(({ trx }) => removeListData(trx, listId));
  },
});
