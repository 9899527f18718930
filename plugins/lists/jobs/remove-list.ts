// Deletes the remaining rows of a deleted list on one side, in small transactions. Without their list, memberships are not shown.
import { defineJob, z } from '../../../core/index.ts';
import { repeatInTurns } from '../../../core/unstable.ts';
import { deleteMembers, removeListData, someMembers } from '../store.ts';
import { removeListKind } from './kinds.ts';

const batch = 1_000;

export const removeList = defineJob({
  kind: removeListKind,
  payload: z.object({ listId: z.string() }),
  lane: 'bulk',
  timeoutMs: 300_000,

  async handler(ctx, { listId }) {
    const deleteSome = () =>
      ctx.checkpoint(async ({ trx }) => {
        const ids = await someMembers(trx, listId, batch);
        await deleteMembers(trx, listId, ids);
        return ids.length === batch;
      });
    if (await repeatInTurns(ctx, deleteSome)) await ctx.complete(({ trx }) => removeListData(trx, listId));
  },
});
