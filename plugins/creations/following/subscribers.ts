// What becomes of built items: their pages are ready or failed, and the first that is public makes the creation live.
import type { EventPattern, JobContext, SubscriberDeclaration } from '../../../core/index.ts';
import { defineSubscriber } from '../../../core/index.ts';
import type { ItemEnd } from '../building/finish.ts';
import { endItem } from '../building/finish.ts';
import { creationRows, itemRows } from '../tables.ts';

/** Ends the item whose object is built in the background. */
async function endBuilding(ctx: JobContext, targetId: string, end: (target: string) => ItemEnd): Promise<void> {
  const found = await ctx.read((handle) => itemRows.findBy(handle, { target_id: targetId, status: 'building' }));
  if (found === undefined) return ctx.complete();
  await ctx.complete(async (effects) => {
    const creation = await creationRows.lock(effects.trx, found.creation_id);
    const item = await itemRows.find(effects.trx, found.id);
    if (creation === undefined || item?.status !== 'building') return;
    // A canceled creation keeps what was built, and goes on to nothing.
    if (creation.status !== 'building') {
      const { status } = end(targetId);
      await itemRows.update(effects.trx, item.id, { status, updated_at: effects.now });
      return;
    }
    await endItem(ctx, effects, creation, item, end(targetId), 'area');
  });
}

/** The creation is live from now on, where it is ready. */
async function goLive(ctx: JobContext, creationId: string | null): Promise<void> {
  if (creationId === null) return ctx.complete();
  await ctx.complete(async ({ trx, now }) => {
    const creation = await creationRows.lock(trx, creationId);
    if (creation?.status === 'ready' || creation?.status === 'partially_ready')
      await creationRows.change(trx, creation, { status: 'live', updated_at: now });
  });
}

interface FromCreation {
  readonly id: string;
  readonly creationId: string | null;
}

const live = (name: string, event: EventPattern): SubscriberDeclaration => ({
  name,
  event,
  handler: (ctx, { data }) => goLive(ctx, (data as unknown as FromCreation).creationId),
});

export const subscribers: readonly SubscriberDeclaration[] = [
  defineSubscriber({
    name: 'page_ready',
    event: 'page.ready',
    handler: (ctx, { data }) => endBuilding(ctx, data.id, (id) => ({ status: 'built', target: { kind: 'page', id } })),
  }),
  defineSubscriber({
    name: 'page_failed',
    event: 'page.failed',
    handler: (ctx, { data }) =>
      endBuilding(ctx, data.id, () => ({ status: 'failed', error: data.error ?? 'The page could not be built.' })),
  }),
  live('page_live', 'page.published'),
  live('post_live', 'social.post.published'),
  live('blog_live', 'blog_post.published'),
];
