// Starts to build: holds the credits of all items, and enqueues the items without unbuilt dependencies. Called by the approval, by the
// job that approves on behalf of the caller, and by a retry. The caller must have locked the creation.
import type { TransactionContext } from '../../../core/index.ts';
import { creditPools, creditsExhausted } from '../../../core/unstable.ts';
import { itemsOfCreation } from '../store.ts';
import { type CreationRow, creationRows, type ItemRow, itemRows } from '../tables.ts';
import { enqueueReadyItems } from './enqueue-ready-items.ts';
import { finishIfDone } from './finish.ts';

/** @throws credits_exhausted if the items cost more than the balance; nothing is held then */
export async function checkCredits(
  { trx, workspace, now, sandbox }: TransactionContext,
  items: readonly ItemRow[],
): Promise<void> {
  const price = items.reduce((sum, item) => sum + item.price, 0);
  if (sandbox || price === 0) return;
  const { month, granted } = await creditPools(trx, workspace, now);
  if (month + granted < price) throw creditsExhausted(workspace, price, month + granted, now);
}

/** Holds the credits of these items and starts to build them. @throws credits_exhausted */
export async function startBuilding(
  ctx: TransactionContext,
  creation: CreationRow,
  planned: readonly ItemRow[],
  mayLink: boolean,
): Promise<CreationRow> {
  const { trx, now, sandbox } = ctx;
  await checkCredits(ctx, planned);
  for (const item of planned) {
    const hold_id = sandbox || item.price === 0 ? null : await ctx.hold(item.price, 'creation item');
    await itemRows.update(trx, item.id, { status: 'planned', hold_id, error: null, updated_at: now });
  }
  const row = await creationRows.change(trx, creation, {
    ...{ status: 'building', error: null, may_link: mayLink, completes_at: null, updated_at: now },
  });
  enqueueReadyItems(ctx, await itemsOfCreation(trx, creation.id));
  return finishIfDone(ctx, row);
}
