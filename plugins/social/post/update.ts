// Changes a draft or a ready post: its content, its planned time, its assignee.
import { coreErrors, type OperationContext } from '../../../core/index.ts';
import { contentHash } from '../../../core/unstable.ts';
import { checkNamed } from '../content/accounts.ts';
import { mediaFaults, useMedia } from '../content/media.ts';
import { fieldFaults, mergeContent } from '../content/merge.ts';
import type { UpdateBody } from '../input.ts';
import { surfaceKind, targetsOf } from '../present.ts';
import { postSurface } from '../surface.ts';
import { type PostRow, postRows } from '../tables.ts';
import { checkTime, waitsForApproval } from './going.ts';
import { replaceTargets } from './targets.ts';
import { priceOf, weighContent } from './weigh.ts';

/** The hash of the content that reviewers would decide on. */
async function askedHash(ctx: OperationContext, { id }: PostRow): Promise<string | undefined> {
  const shown = await postSurface.read(ctx, id);
  return shown === undefined ? undefined : contentHash(shown.content);
}

/** @throws state_conflict, validation_failed, schedule_at_invalid, account_not_found, account_ambiguous, asset_not_found */
export async function changePost(ctx: OperationContext, post: PostRow, given: UpdateBody): Promise<PostRow> {
  if (post.status === 'pending_approval') throw waitsForApproval(post);
  if (post.status !== 'draft' && post.status !== 'ready')
    throw coreErrors.state_conflict({
      reason: `The post ${post.id} is ${post.status}. Only a draft or a ready post can be changed.${post.status === 'scheduled' ? ` Take it off the schedule first: POST /v1/social/posts/${post.id}/schedule with scheduledAt null.` : ''}`,
    });
  const isFromPlan = post.mode === 'hold';
  const content = mergeContent(post.content, given);
  ctx.refuse([
    ...fieldFaults(ctx.services.socialChannels, given, content.channels),
    ...(['plannedAt', 'assigneeUid'] as const).flatMap((path) =>
      given[path] === undefined || isFromPlan
        ? []
        : [{ path, code: 'not_allowed', message: `${path} is refused: the post was not made as a hold.` }],
    ),
  ]);
  if (given.plannedAt !== undefined && given.plannedAt !== post.planned_at)
    checkTime(ctx.now, given.plannedAt, 'plannedAt');
  await useMedia(ctx, { id: post.id, content });
  const before = (await targetsOf(ctx.trx, [post])).get(post.id) ?? [];
  const weighed = await weighContent(ctx, content, before);
  if (given.targetAccountRefs !== undefined) checkNamed(content, weighed.accounts);
  ctx.refuse(mediaFaults(content, weighed.assets));
  const hasContent =
    content.media.length > 0 || content.caption !== '' || Object.keys(content.channelCaptions).length > 0;
  const isClean = weighed.problems.length === 0;
  const isHold = post.planning_kind === 'hold' && !(isClean && hasContent);
  const asked = await askedHash(ctx, post);
  await replaceTargets(ctx, post, before, weighed);
  const changed = await postRows.change(ctx.trx, post, {
    status: isClean && !isHold ? 'ready' : 'draft',
    planning_kind: isHold ? 'hold' : 'post',
    content,
    problems: weighed.problems,
    price: priceOf(weighed, ctx.sandbox),
    ...(given.plannedAt === undefined ? {} : { planned_at: given.plannedAt }),
    ...(given.assigneeUid === undefined ? {} : { assignee_uid: given.assigneeUid }),
    ...(given.brief === undefined ? {} : { brief: given.brief }),
    updated_at: ctx.now,
  });
  if ((await askedHash(ctx, post)) !== asked) await ctx.contentChanged(surfaceKind, [post.id]);
  return changed;
}
