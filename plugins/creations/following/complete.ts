// Completes the live creations of one side whose time is over, and marks items as skipped if their object was deleted or canceled.
import { defineJob, z } from '../../../core/index.ts';
import { endItem } from '../building/finish.ts';
import { itemsOfCreation } from '../store.ts';
import { creationRows, itemRows } from '../tables.ts';
import { withLostSkipped } from './lost-objects.ts';

export const completeKind = 'creations.complete';

export const completeJob = defineJob({
  kind: completeKind,
  payload: z.object({}),
  lane: 'bulk',
  async handler(ctx) {
    const ids: string[] = [];
    await ctx.read(async ({ trx }) => {
      for (const status of ['building', 'ready', 'partially_ready', 'live'] as const)
        for await (const rows of creationRows.each(trx, { status }, 100)) ids.push(...rows.map(({ id }) => id));
    });
    for (const id of ids) {
      ctx.signal.throwIfAborted();
      await ctx.checkpoint(async (tx) => {
        const { trx, now } = tx;
        const row = await creationRows.lock(trx, id);
        if (row === undefined) return;
        const items = await itemsOfCreation(trx, id);
        const lost = (await withLostSkipped(tx, items)).filter((item) => !items.includes(item));
        for (const { id: itemId, error } of lost) {
          const item = items.find((candidate) => candidate.id === itemId);
          // If this was the last item in progress, `endItem` also finishes the creation.
          if (item?.status === 'building' && row.status === 'building')
            await endItem(tx, row, item, { status: 'skipped', error: error ?? '' });
          else await itemRows.update(trx, itemId, { status: 'skipped', error, updated_at: now });
        }
        if (row.status === 'live' && row.completes_at !== null && row.completes_at <= now)
          await creationRows.change(trx, row, { status: 'completed', updated_at: now });
      });
    }
    await ctx.complete();
  },
});
