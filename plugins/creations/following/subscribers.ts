// Reacts to events of built objects: a page that is ready or failed ends its item, and the first published object makes the creation live.
import {
  defineSubscriber,
  type EventPattern,
  type JobContext,
  type SubscriberDeclaration,
} from '../../../core/index.ts';
import { endItem, type ItemEnd } from '../building/finish.ts';
import { creationRows, itemRows } from '../tables.ts';

/** Ends the item whose object was built in the background. */
async function endBuilding(ctx: JobContext, targetId: string, end: (target: string) => ItemEnd): Promise<void> {
  const builtItem = await ctx.read(({ trx }) => itemRows.findBy(trx, { target_id: targetId, status: 'building' }));
  if (builtItem === undefined) return ctx.complete();
  await ctx.complete(async (tx) => {
    const creation = await creationRows.lock(tx.trx, builtItem.creation_id);
    const item = await itemRows.find(tx.trx, builtItem.id);
    if (creation === undefined || item?.status !== 'building') return;
    const itemEnd = end(targetId);
    if (creation.status === 'building') return endItem(tx, creation, item, itemEnd, 'plugin');
    // A creation that has stopped building, such as a canceled one, keeps the object and its charge, and builds nothing more.
    const { trx, now, sandbox } = tx;
    const error = itemEnd.status === 'built' ? null : itemEnd.error;
    await itemRows.update(trx, item.id, { status: itemEnd.status, error, updated_at: now });
    if (itemEnd.status === 'built' && !sandbox)
      await creationRows.change(trx, creation, { charged: creation.charged + item.price, updated_at: now });
  });
}

/** The delay before another attempt while the creation is building: an object can be published while a failed item is built again. */
const laterMs = 60_000;

/** Makes the creation live if it is ready or partially ready. */
async function goLive(ctx: JobContext, creationId: string | null): Promise<void> {
  if (creationId === null) return ctx.complete();
  const now = await ctx.read(({ trx }) => creationRows.find(trx, creationId));
  if (now?.status === 'building')
    return ctx.retryAt(ctx.ports.now() + laterMs, 'The creation is being built.', undefined, {
      untried: true,
      relative: true,
    });
  await ctx.complete(async ({ trx, now }) => {
    const creation = await creationRows.lock(trx, creationId);
    if (creation?.status === 'ready' || creation?.status === 'partially_ready')
      await creationRows.change(trx, creation, { status: 'live', updated_at: now });
  });
}

interface FromCreation {
  readonly creationId: string | null;
}

const goLiveOn = (name: string, event: EventPattern): SubscriberDeclaration => ({
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
  goLiveOn('page_live', 'page.published'),
  goLiveOn('post_live', 'social.post.published'),
  goLiveOn('blog_live', 'blog_post.published'),
  goLiveOn('broadcast_live', 'broadcast.sent'),
];
