// Completes the live creations of one side whose time is over, and writes that built objects are gone.
import { defineJob, z } from '../../../core/index.ts';
import { itemsOfOne } from '../store.ts';
import { creationRows, itemRows } from '../tables.ts';
import { withoutGone } from './gone.ts';

export const completeKind = 'creations.complete';

export const completeJob = defineJob({
  kind: completeKind,
  payload: z.object({}),
  lane: 'bulk',
  async handler(ctx) {
    const ids: string[] = [];
    await ctx.read(async (handle) => {
      for (const status of ['ready', 'partially_ready', 'live'] as const)
        for await (const rows of creationRows.each(handle, { status }, 100)) ids.push(...rows.map(({ id }) => id));
    });
    for (const id of ids) {
      ctx.signal.throwIfAborted();
      await ctx.checkpoint(async ({ trx, now }) => {
        const row = await creationRows.lock(trx, id);
        if (row === undefined) return;
        const items = await itemsOfOne(trx, id);
        for (const item of await withoutGone(ctx, trx, items))
          if (!items.includes(item))
            await itemRows.update(trx, item.id, { status: item.status, error: item.error, updated_at: now });
        if (row.status === 'live' && row.completes_at !== null && row.completes_at <= now)
          await creationRows.change(trx, row, { status: 'completed', updated_at: now });
      });
    }
    await ctx.complete();
  },
});
