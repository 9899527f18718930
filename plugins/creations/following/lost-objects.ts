// Finds built or building items whose object was deleted, or whose broadcast was canceled. A read shows these items as skipped at once. A schedule stores this status.
import type { ReadContext } from '../../../core/index.ts';
import type { BlogService } from '../../blog/index.ts';
import type { BroadcastsService } from '../../broadcasts/index.ts';
import type { PagesService } from '../../pages/index.ts';
import { itemsOf, presentCreation, presentFull } from '../present.ts';
import type { CreationRow, ItemRow } from '../tables.ts';

const deletedReason = 'Its draft was deleted.';

/** Whether the object of an item still exists. */
async function exists({ services, trx }: ReadContext, item: ItemRow): Promise<boolean> {
  const pages: PagesService | undefined = services.pages;
  const blog: BlogService | undefined = services.blog;
  const id = item.target_id;
  if (id === null) return true;
  switch (item.kind) {
    case 'social_post': {
      const post = await services.social.find(trx, id);
      return post !== undefined && post.status !== 'deleted';
    }
    case 'page':
      return pages === undefined || (await pages.find(trx, id)) !== undefined;
    case 'blog_post':
      return blog === undefined || (await blog.find(trx, id)) !== undefined;
    // Links, templates, planned emails and sequences are archived or canceled, never deleted.
    default:
      return true;
  }
}

/** The reason why the broadcast of an item will not be sent; undefined if it may be sent, or if the item has no broadcast. */
async function broadcastLoss(
  { services, trx }: ReadContext,
  { target_kind: kind, target_id: id }: ItemRow,
): Promise<string | undefined> {
  const broadcasts: BroadcastsService | undefined = services.broadcasts;
  if (kind !== 'broadcast' || id === null || broadcasts === undefined) return undefined;
  const status = (await broadcasts.statusesOf(trx, [id])).get(id);
  if (status === undefined) return deletedReason;
  return status === 'canceled' ? 'Its broadcast was canceled.' : undefined;
}

/** The reason why the object of an item is lost; undefined if it is not lost. */
const lossOf = async (ctx: ReadContext, item: ItemRow): Promise<string | undefined> =>
  (await exists(ctx, item)) ? broadcastLoss(ctx, item) : deletedReason;

/** The items. If the object of an item was deleted or canceled, the item has the status skipped, and its error says why. */
export async function withLostSkipped(ctx: ReadContext, items: readonly ItemRow[]): Promise<ItemRow[]> {
  const shownItems: ItemRow[] = [];
  for (const item of items) {
    const loss = item.status === 'built' || item.status === 'building' ? await lossOf(ctx, item) : undefined;
    shownItems.push(loss === undefined ? item : { ...item, status: 'skipped', error: loss });
  }
  return shownItems;
}

/** A creation as the API shows it; items with lost objects are shown as skipped. */
export async function showCurrent(ctx: ReadContext, row: CreationRow, detail: 'summary' | 'full') {
  const items = await withLostSkipped(ctx, (await itemsOf(ctx.trx, [row.id])).get(row.id) ?? []);
  return detail === 'full' ? presentFull(ctx, row, items) : presentCreation(ctx, row, items);
}
