// Ends an item: enqueues or fails the items that depend on it, and finishes the creation with its last item. Called inside
// transactions of jobs and operations that have locked the creation.

import type { TransactionContext } from '../../../core/index.ts';
import { beginning } from '../../../core/unstable.ts';
import { showSummary } from '../present.ts';
import { itemsOfCreation } from '../store.ts';
import { type CreationRow, creationRows, type ItemRow, itemRows } from '../tables.ts';
import { enqueueReadyItems } from './enqueue-ready-items.ts';

/** The result of an item. */
export type ItemEnd =
  | { readonly status: 'built'; readonly target: { readonly kind: string; readonly id: string } }
  | { readonly status: 'failed' | 'skipped'; readonly error: string };

/** If a creation has no end date, it is completed this long after its last item, in milliseconds. */
const completeAfterMs = 30 * 86_400_000;

/** If no item is left to be built, sets the next status of the creation and emits its event. */
export async function finishIfDone(ctx: TransactionContext, creation: CreationRow): Promise<CreationRow> {
  const { trx, now } = ctx;
  const items = await itemsOfCreation(trx, creation.id);
  if (items.some(({ status }) => status === 'planned' || status === 'building')) return creation;
  const failed = items.filter(({ status }) => status === 'failed').length;
  const built = items.filter(({ status }) => status === 'built').length;
  const status = failed === 0 ? 'ready' : built === 0 ? 'failed' : 'partially_ready';
  const lastDate = items.reduce((max, { at }) => Math.max(max, at ?? 0), now);
  const row = await creationRows.change(trx, creation, {
    status,
    error:
      failed === 0
        ? null
        : `${failed} of ${items.length} items failed. The error of each item has the reason. Remove the cause, then retry the item.`,
    completes_at: creation.ends_at ?? lastDate + completeAfterMs,
    updated_at: now,
  });
  ctx.emit(status === 'failed' ? 'creation.failed' : 'creation.ready', await showSummary(ctx, row));
  return row;
}

/** The planned items that depend on a failed item, directly or indirectly. */
function blockedBy(failed: ItemRow, items: readonly ItemRow[]): ItemRow[] {
  const next = items.filter(({ status, depends_on: uses }) => status === 'planned' && uses.includes(failed.id));
  return next.flatMap((item) => [item, ...blockedBy(item, items)]);
}

/** Ends one item. `paidBy`: `hold` if the item's credit hold pays, `plugin` if the plugin that made the object has charged for it. */
export async function endItem(
  ctx: TransactionContext,
  creation: CreationRow,
  item: ItemRow,
  end: ItemEnd,
  paidBy: 'hold' | 'plugin' = 'hold',
): Promise<void> {
  const { trx, now } = ctx;
  const isBuilt = end.status === 'built';
  if (item.hold_id !== null) {
    // If the credit hold has expired, its credits were released, so the price is charged directly.
    if (isBuilt && paidBy === 'hold') {
      if (!(await ctx.settle(item.hold_id, item.price))) await ctx.charge(item.price, 'creation item');
    } else await ctx.release(item.hold_id);
  }
  await itemRows.update(trx, item.id, {
    status: end.status,
    hold_id: null,
    error: isBuilt ? null : beginning(end.error, 500),
    ...(isBuilt ? { target_kind: end.target.kind, target_id: end.target.id } : {}),
    updated_at: now,
  });
  const charged = isBuilt && !ctx.sandbox ? creation.charged + item.price : creation.charged;
  const row = await creationRows.change(trx, creation, { charged, updated_at: now });
  if (end.status === 'failed')
    for (const blocked of blockedBy(item, await itemsOfCreation(trx, creation.id))) {
      if (blocked.hold_id !== null) await ctx.release(blocked.hold_id);
      const error = `It needs the ${item.kind} ${item.id}, which failed.`;
      await itemRows.update(trx, blocked.id, { status: 'failed', hold_id: null, error, updated_at: now });
    }
  enqueueReadyItems(ctx, await itemsOfCreation(trx, creation.id));
  await finishIfDone(ctx, row);
}
