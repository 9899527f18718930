// Enqueues the items whose dependencies are built. Called after a change of a creation's items.
import type { TransactionContext } from '../../../core/index.ts';
import type { ItemRow } from '../tables.ts';
import { buildItemKind } from './kinds.ts';

/** Whether all items that an item depends on are built or skipped. */
const isFree = (item: ItemRow, items: readonly ItemRow[]): boolean =>
  item.depends_on.every((id) => {
    const used = items.find((one) => one.id === id);
    return used === undefined || used.status === 'built' || used.status === 'skipped';
  });

/** Enqueues the planned items that can be built now. */
export function enqueueReadyItems(ctx: TransactionContext, items: readonly ItemRow[]): void {
  for (const item of items)
    if (item.status === 'planned' && isFree(item, items))
      ctx.enqueue({
        kind: buildItemKind,
        payload: { creationId: item.creation_id, itemId: item.id },
        key: item.id,
        sandbox: item.sandbox,
      });
}
