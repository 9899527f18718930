// Finds built or building items whose object was deleted. A read shows them as skipped at once; a schedule stores this status.
import type { ReadContext } from '../../../core/index.ts';
import type { BlogService } from '../../blog/index.ts';
import type { PagesService } from '../../pages/index.ts';
import { itemsOf, presentCreation, presentFull } from '../present.ts';
import type { CreationRow, ItemRow } from '../tables.ts';

export const gone = 'What was built for it was deleted.';

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

/** The items. If the object of an item was deleted, the item has the status skipped. */
export async function withoutGone(ctx: ReadContext, items: readonly ItemRow[]): Promise<ItemRow[]> {
  const shown: ItemRow[] = [];
  for (const item of items)
    shown.push(
      (item.status === 'built' || item.status === 'building') && !(await exists(ctx, item))
        ? { ...item, status: 'skipped', error: gone }
        : item,
    );
  return shown;
}

/** A creation as the API shows it, without deleted objects. */
export async function showCurrent(ctx: ReadContext, row: CreationRow, detail: 'summary' | 'full') {
  const items = await withoutGone(ctx, (await itemsOf(ctx.trx, [row.id])).get(row.id) ?? []);
  return detail === 'full' ? presentFull(ctx, row, items) : presentCreation(ctx, row, items);
}
