// Changes a draft or a ready post: its content, its planned time, its assignee.
import { coreErrors, type OperationContext } from '../../../core/index.ts';
import { contentHash } from '../../../core/unstable.ts';
import { checkNamed } from '../content/accounts.ts';
import { mediaFaults, useMedia } from '../content/media.ts';
import { fieldFaults, mergeContent } from '../content/merge.ts';
import { socialPostContentKind } from '../content-kind.ts';
import type { UpdatePostBody } from '../input.ts';
import { socialPostKindId, targetsOf } from '../present.ts';
import { postRows, type SocialPostRow } from '../tables.ts';
import { evaluateContent, priceOf } from './evaluate.ts';
import { checkTime, waitsForApprovalError } from './publish-or-schedule.ts';
import { replaceTargets } from './targets.ts';

/** The hash of the content that reviewers would see in an approval request for the post. */
async function requestedContentHash(ctx: OperationContext, { id }: SocialPostRow): Promise<string | undefined> {
  const contentOfPost = await socialPostContentKind.read(ctx, id);
  return contentOfPost === undefined ? undefined : contentHash(contentOfPost.content);
}

/** @throws state_conflict, validation_failed, schedule_at_invalid, account_not_found, account_ambiguous, asset_not_found */
export async function changePost(
  ctx: OperationContext,
  post: SocialPostRow,
  input: UpdatePostBody,
): Promise<SocialPostRow> {
  if (post.status === 'pending_approval') throw waitsForApprovalError(post);
  if (post.status !== 'draft' && post.status !== 'ready')
    throw coreErrors.state_conflict({
      reason: `The post ${post.id} is ${post.status}. Only a draft or a ready post can be changed.${post.status === 'scheduled' ? ` Take it off the schedule first: POST /v1/social/posts/${post.id}/schedule with scheduledAt null.` : ''}`,
    });
  const wasPlanned = post.mode === 'hold';
  const content = mergeContent(post.content, input);
  ctx.refuse([
    ...fieldFaults(ctx.services.socialChannels, input, content.channels),
    ...(['plannedAt', 'assigneeUid'] as const).flatMap((path) =>
      input[path] === undefined || wasPlanned
        ? []
        : [{ path, code: 'not_allowed', message: `${path} is refused: the post was not created as a hold.` }],
    ),
  ]);
  if (input.plannedAt !== undefined && input.plannedAt !== post.planned_at)
    checkTime(ctx.now, input.plannedAt, 'plannedAt');
  await useMedia(ctx, { id: post.id, content });
  const earlierTargets = (await targetsOf(ctx.trx, [post])).get(post.id) ?? [];
  const evaluated = await evaluateContent(ctx, content, earlierTargets);
  if (input.targetAccountRefs !== undefined) checkNamed(content, evaluated.accounts);
  ctx.refuse(mediaFaults(content, evaluated.assets));
  const hasContent =
    content.media.length > 0 || content.caption !== '' || Object.keys(content.channelCaptions).length > 0;
  const hasNoProblems = evaluated.problems.length === 0;
  const isHold = post.planning_kind === 'hold' && !(hasNoProblems && hasContent);
  const requestedHash = await requestedContentHash(ctx, post);
  await replaceTargets(ctx, post, earlierTargets, evaluated);
  const changedPost = await postRows.change(ctx.trx, post, {
    status: hasNoProblems && !isHold ? 'ready' : 'draft',
    planning_kind: isHold ? 'hold' : 'post',
    content,
    problems: evaluated.problems,
    price: priceOf(evaluated, ctx.sandbox),
    ...(input.plannedAt === undefined ? {} : { planned_at: input.plannedAt }),
    ...(input.assigneeUid === undefined ? {} : { assignee_uid: input.assigneeUid }),
    ...(input.brief === undefined ? {} : { brief: input.brief }),
    updated_at: ctx.now,
  });
  if ((await requestedContentHash(ctx, post)) !== requestedHash) await ctx.contentChanged(socialPostKindId, [post.id]);
  return changedPost;
}
