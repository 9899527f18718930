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
import { checkTime, waitsForApproval } from './publish-or-schedule.ts';
import { replaceTargets } from './targets.ts';

/** The hash of the content that reviewers would decide on. */
async function askedHash(ctx: OperationContext, { id }: SocialPostRow): Promise<string | undefined> {
  const shown = await socialPostContentKind.read(ctx, id);
  return shown === undefined ? undefined : contentHash(shown.content);
}

/** @throws state_conflict, validation_failed, schedule_at_invalid, account_not_found, account_ambiguous, asset_not_found */
export async function changePost(
  ctx: OperationContext,
  post: SocialPostRow,
  input: UpdatePostBody,
): Promise<SocialPostRow> {
  if (post.status === 'pending_approval') throw waitsForApproval(post);
  if (post.status !== 'draft' && post.status !== 'ready')
    throw coreErrors.state_conflict({
      reason: `The post ${post.id} is ${post.status}. Only a draft or a ready post can be changed.${post.status === 'scheduled' ? ` Take it off the schedule first: POST /v1/social/posts/${post.id}/schedule with scheduledAt null.` : ''}`,
    });
  const isFromPlan = post.mode === 'hold';
  const content = mergeContent(post.content, input);
  ctx.refuse([
    ...fieldFaults(ctx.services.socialChannels, input, content.channels),
    ...(['plannedAt', 'assigneeUid'] as const).flatMap((path) =>
      input[path] === undefined || isFromPlan
        ? []
        : [{ path, code: 'not_allowed', message: `${path} is refused: the post was not made as a hold.` }],
    ),
  ]);
  if (input.plannedAt !== undefined && input.plannedAt !== post.planned_at)
    checkTime(ctx.now, input.plannedAt, 'plannedAt');
  await useMedia(ctx, { id: post.id, content });
  const before = (await targetsOf(ctx.trx, [post])).get(post.id) ?? [];
  const weighed = await evaluateContent(ctx, content, before);
  if (input.targetAccountRefs !== undefined) checkNamed(content, weighed.accounts);
  ctx.refuse(mediaFaults(content, weighed.assets));
  const hasContent =
    content.media.length > 0 || content.caption !== '' || Object.keys(content.channelCaptions).length > 0;
  const isClean = weighed.problems.length === 0;
  const isHold = post.planning_kind === 'hold' && !(isClean && hasContent);
  const requestedHash = await askedHash(ctx, post);
  await replaceTargets(ctx, post, before, weighed);
  const changed = await postRows.change(ctx.trx, post, {
    status: isClean && !isHold ? 'ready' : 'draft',
    planning_kind: isHold ? 'hold' : 'post',
    content,
    problems: weighed.problems,
    price: priceOf(weighed, ctx.sandbox),
    ...(input.plannedAt === undefined ? {} : { planned_at: input.plannedAt }),
    ...(input.assigneeUid === undefined ? {} : { assignee_uid: input.assigneeUid }),
    ...(input.brief === undefined ? {} : { brief: input.brief }),
    updated_at: ctx.now,
  });
  if ((await askedHash(ctx, post)) !== requestedHash) await ctx.contentChanged(socialPostKindId, [post.id]);
  return changed;
}
