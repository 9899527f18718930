// Enqueues the items whose dependencies are built. Called after a change of a creation's items.
import type { TransactionContext } from '../../../core/index.ts';
import type { ItemRow } from '../tables.ts';
import { buildItemKind } from './kinds.ts';

/** Whether all items that an item depends on are built or skipped. */
const isReady = (item: ItemRow, items: readonly ItemRow[]): boolean =>
  item.depends_on.every((id) => {
    const dependency = items.find((candidate) => candidate.id === id);
    return dependency === undefined || dependency.status === 'built' || dependency.status === 'skipped';
  });

/** Enqueues the planned items that can be built now. */
export function enqueueReadyItems(ctx: TransactionContext, items: readonly ItemRow[]): void {
  for (const item of items)
    if (item.status === 'planned' && isReady(item, items))
      ctx.enqueue({
        kind: buildItemKind,
        payload: { creationId: item.creation_id, itemId: item.id },
        key: item.id,
        sandbox: item.sandbox,
      });
}
