// Deletes posts: only here, or also on the networks.
import { coreErrors, type OperationContext } from '../../../core/index.ts';
import { useMedia } from '../content/media.ts';
import { errors } from '../errors.ts';
import { showPost, socialPostKindId, targetsOf } from '../present.ts';
import { isVisible, startRemoval } from '../removal/start.ts';
import { movePost } from '../states.ts';
import { accountRows, type SocialPostRow, type TargetRow, targetRows } from '../tables.ts';
import { unschedule } from './publish-or-schedule.ts';

/** @throws delete_unsupported */
async function checkDeletable({ trx, services }: OperationContext, live: readonly TargetRow[]): Promise<void> {
  const refs = live.flatMap(({ account_ref: ref }) => (ref === null ? [] : [ref]));
  const accounts = new Map((await accountRows.findIn(trx, 'id', refs)).map((row) => [row.id, row]));
  const keptTargets = live.filter(({ channel_id: channelId, account_ref: ref }) => {
    const transport = accounts.get(ref ?? '')?.transport ?? 'native';
    return services.socialChannels.networkOf(channelId, transport)?.capabilities.deletes !== true;
  });
  if (keptTargets.length > 0)
    throw errors.delete_unsupported({ channels: keptTargets.map(({ channel_id: id }) => id) });
}

/** The channels on which at least a part of the post is visible, in words: of an interrupted thread, the first tweets are visible. */
function liveParts(live: readonly TargetRow[]): string {
  const partsOf = ({ channel_id: channelId, status, parts }: TargetRow): string => {
    if (status === 'published') return channelId;
    return `${channelId}, with ${parts.length === 1 ? 'the part' : 'the parts'} ${parts.join(', ')} of a post that broke off`;
  };
  return live.map(partsOf).join(' and ');
}

/** Deletes a post that people can see, at least in part: a job deletes it on the networks. @throws state_conflict, delete_unsupported */
async function deleteLive(
  ctx: OperationContext,
  post: SocialPostRow,
  { live, fromProvider }: { readonly live: readonly TargetRow[]; readonly fromProvider: boolean },
): Promise<SocialPostRow> {
  const whereLive =
    live.length === 0 ? `The post ${post.id} is live` : `The post ${post.id} is live on ${liveParts(live)}`;
  // A post that is live on one channel can be waiting for an approval of its publication on others.
  if (post.status === 'pending_approval')
    throw coreErrors.state_conflict({
      reason: `${whereLive}, and waits for the decision on ${post.approval_id} to go out on the others. Withdraw the request first: POST /v1/approvals/requests/${post.approval_id}/withdraw. Then delete the post with fromProvider=true.`,
    });
  if (!fromProvider)
    throw coreErrors.state_conflict({
      reason: `${whereLive}. Delete it with fromProvider=true: it is deleted on the networks, too.`,
    });
  await checkDeletable(ctx, live);
  await unschedule(ctx, post);
  await ctx.contentChanged(socialPostKindId, [post.id]);
  const changedColumns = { hold_id: null, held: 0, scheduled_at: null };
  const movedPost = await movePost(ctx, post, { to: 'deleting', set: changedColumns });
  await startRemoval(ctx, movedPost);
  return movedPost;
}

/** Stores an error in targets whose publication has an unknown result: the post may be live there, and is not deleted. */
async function warnOfUnknown({ trx, services }: OperationContext, targets: readonly TargetRow[]): Promise<void> {
  for (const target of targets) {
    if (target.status !== 'unknown') continue;
    const name = services.socialChannels.rulesOf(target.channel_id)?.name ?? target.channel_id;
    const message = `It is unknown whether the post was published on ${name}. Nothing was deleted there: if the post is live, delete it there by hand.`;
    await targetRows.change(trx, target, { error: { code: 'outcome_unknown', message } });
  }
}

/** Deletes a post. If it is live, a job deletes it on the networks. @throws state_conflict, delete_unsupported */
export async function deletePost(
  ctx: OperationContext,
  post: SocialPostRow,
  fromProvider: boolean,
): Promise<SocialPostRow> {
  if (post.status === 'deleted') return post;
  if (post.status === 'publishing' || post.status === 'deleting')
    throw coreErrors.state_conflict({
      reason: `The post ${post.id} is ${post.status}. Wait until this has ended, then delete it.`,
    });
  const targets = (await targetsOf(ctx.trx, [post])).get(post.id) ?? [];
  const live = targets.filter(isVisible);
  const isLive = live.length > 0 || post.status === 'published' || post.status === 'partially_published';
  if (isLive) return deleteLive(ctx, post, { live, fromProvider });
  await warnOfUnknown(ctx, targets);
  await unschedule(ctx, post);
  await ctx.contentChanged(socialPostKindId, [post.id]);
  await useMedia(ctx, { id: post.id, content: { media: [] } });
  const changedColumns = { hold_id: null, held: 0, approval_id: null, scheduled_at: null, deleted_at: ctx.now };
  const deleted = await movePost(ctx, post, { to: 'deleted', set: changedColumns });
  ctx.emit('social.post.deleted', await showPost(ctx, deleted));
  return deleted;
}
