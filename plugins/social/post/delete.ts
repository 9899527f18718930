// Deletes posts: here, or on the networks too.
import type { OperationContext } from '../../../core/index.ts';
import { coreErrors } from '../../../core/index.ts';
import { useMedia } from '../content/media.ts';
import { errors } from '../errors.ts';
import { showPost, surfaceKind, targetsOf } from '../present.ts';
import { isVisible, startRemoval } from '../removal/start.ts';
import { movePost } from '../states.ts';
import type { PostRow } from '../tables.ts';
import { accountRows, targetRows } from '../tables.ts';
import { unschedule } from './going.ts';

/** @throws delete_unsupported */
async function checkDeletable({ trx, services }: OperationContext, post: PostRow): Promise<void> {
  const targets = (await targetsOf(trx, [post])).get(post.id) ?? [];
  const live = targets.filter(isVisible);
  const refs = live.flatMap(({ account_ref: ref }) => (ref === null ? [] : [ref]));
  const accounts = new Map((await accountRows.findIn(trx, 'id', refs)).map((row) => [row.id, row]));
  const kept = live.filter(({ channel_id: channelId, account_ref: ref }) => {
    const transport = accounts.get(ref ?? '')?.transport ?? 'native';
    return services.socialChannels.networkOf(channelId, transport)?.capabilities.deletes !== true;
  });
  if (kept.length > 0) throw errors.delete_unsupported({ channels: kept.map(({ channel_id: id }) => id) });
}

/** A post may wait to go out on more channels while it is live on one. @throws state_conflict */
async function checkNotLive({ trx }: OperationContext, { id, approval_id: requestId }: PostRow): Promise<void> {
  if ((await targetRows.count(trx, { post_id: id, status: 'published' }, 1)) === 0) return;
  throw coreErrors.state_conflict({
    reason: `The post ${id} is live on some of its channels, and waits for the decision on ${requestId} to go out on the others. Withdraw that request, then delete the post with fromProvider=true.`,
  });
}

/** A post that is live is deleted on the networks, by a job. @throws state_conflict, delete_unsupported */
export async function deletePost(ctx: OperationContext, post: PostRow, fromProvider: boolean): Promise<PostRow> {
  if (post.status === 'deleted') return post;
  if (post.status === 'published' || post.status === 'partially_published') {
    if (!fromProvider)
      throw coreErrors.state_conflict({
        reason: `The post ${post.id} is live. Delete it with fromProvider=true: it is deleted on the networks, too.`,
      });
    await checkDeletable(ctx, post);
    const moved = await movePost(ctx, post, { to: 'deleting' });
    await startRemoval(ctx, moved);
    return moved;
  }
  if (post.status === 'publishing' || post.status === 'deleting')
    throw coreErrors.state_conflict({ reason: `The post ${post.id} is ${post.status}. Wait until that has ended.` });
  await checkNotLive(ctx, post);
  await unschedule(ctx, post);
  await ctx.contentChanged(surfaceKind, [post.id]);
  await useMedia(ctx, ctx, { id: post.id, content: { media: [] } });
  const set = { hold_id: null, approval_id: null, scheduled_at: null, deleted_at: ctx.now };
  const deleted = await movePost(ctx, post, { to: 'deleted', set });
  ctx.emit('social.post.deleted', await showPost(ctx, ctx.trx, deleted));
  return deleted;
}
