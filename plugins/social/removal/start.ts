// Starts the removal of a post: a job deletes it on the networks. Called by the deletion of a live post.
import type { TransactionContext } from '../../../core/index.ts';
import { movePost } from '../states.ts';
import { type SocialPostRow, type TargetRow, targetRows } from '../tables.ts';

export const removePostKind = 'social.remove_post';
export const endRemovalKind = 'social.end_removal';

/** Whether people can see at least a part of the target. A thread that broke off has parts but is not published. */
export const isVisible = ({ status, parts }: Pick<TargetRow, 'status' | 'parts'>): boolean =>
  status === 'published' || (status !== 'deleted' && parts.length > 0);

/** Moves a live post to `deleting`, and enqueues the job that deletes it on its networks. */
export async function startRemoval(ctx: TransactionContext, post: SocialPostRow): Promise<SocialPostRow> {
  const moved = post.status === 'deleting' ? post : await movePost(ctx, post, { to: 'deleting' });
  for (const target of await targetRows.findIn(ctx.trx, 'post_id', [post.id], 'update'))
    if (isVisible(target)) await targetRows.change(ctx.trx, target, { error: null, attempts: 0 });
  ctx.enqueue({ kind: removePostKind, payload: { postId: post.id } });
  return moved;
}
