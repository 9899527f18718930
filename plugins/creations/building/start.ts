// Begins to build: holds the credits of all items, and enqueues those that need nothing first. Called by the approval, by the job
// that approves on somebody's behalf, and by a retry; the caller has locked the creation.
import type { TransactionContext } from '../../../core/index.ts';
import { creditPools, creditsExhausted } from '../../../core/unstable.ts';
import { itemsOfOne } from '../store.ts';
import { type CreationRow, creationRows, type ItemRow, itemRows } from '../tables.ts';
import { finishIfDone } from './finish.ts';
import { enqueueFree } from './free.ts';

/** @throws credits_exhausted where the items cost more than there is: nothing is held then */
export async function checkCredits(
  { trx, workspace, now, sandbox }: TransactionContext,
  items: readonly ItemRow[],
): Promise<void> {
  const price = items.reduce((sum, item) => sum + item.price, 0);
  if (sandbox || price === 0) return;
  const { month, granted } = await creditPools(trx, workspace, now);
  if (month + granted < price) throw creditsExhausted(workspace, price, month + granted, now);
}

/** Holds the credits of these planned items and lets the creation build. @throws credits_exhausted */
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
  enqueueFree(ctx, await itemsOfOne(trx, creation.id));
  return finishIfDone(ctx, row);
}
