// Publishes a post now or schedules it: checks it, asks for approval and holds credits. Called by the operations create, schedule
// and publish.
import {
  coreErrors,
  type OperationContext,
  type PendingDecision,
  type PrepareContext,
  type Workspace,
  type WorkspaceContext,
} from '../../../core/index.ts';
import { planOfTier } from '../../../core/unstable.ts';
import { refusePlaceholders } from '../../kit/placeholders.ts';
import { errors } from '../errors.ts';
import type { SimulationScenario } from '../input.ts';
import { showPost } from '../present.ts';
import { schedulePublication, unschedulePublication } from '../publication/due.ts';
import { startPublication } from '../publication/start.ts';
import type { PostProblem, SocialPostContent } from '../schema.ts';
import { movePost, postStates } from '../states.ts';
import type { SocialPostRow, SocialPostStatus, TargetRow } from '../tables.ts';
import { evaluatePost, priceOf } from './evaluate.ts';
import { settleAccounts } from './targets.ts';

/** The lowest plan tier that publishes. */
const minTier = 2;
const maxAheadMs = 365 * 86_400_000;
/**
 * The time for which a credit hold lasts after the post's time, in milliseconds. The hold must outlast the publication: six attempts, each
 * followed by up to a day and a half of probes, and a day of limits.
 */
const holdLifetimeMs = 14 * 86_400_000;

/** Error codes of publishing or scheduling a post. */
export const publishOrScheduleErrors = [
  'plan_required',
  'placeholders_left',
  'post_invalid',
  'account_ambiguous',
  'credits_exhausted',
  'sandbox_only',
];

/** The time and the options of a publication. */
export interface PublishOrScheduleOptions {
  /** The time of the publication, in milliseconds since the epoch; null for now. */
  readonly at: number | null;
  readonly scenario: SimulationScenario;
  /** Publishes targets of unknown outcome again. (Default: the call is refused) */
  readonly retryUnknown?: boolean;
  /** Set in a dry run: the composer was not called, so the texts are missing. (Default: false) */
  readonly areTextsPending?: boolean | undefined;
}

/** @throws insufficient_scope, plan_required */
export function checkMayPublish(ctx: OperationContext | PrepareContext, instead?: string): void {
  const scope = 'social:posts:publish';
  if (!ctx.holds(scope))
    throw coreErrors.insufficient_scope({ scopes: [scope], ...(instead === undefined ? {} : { instead }) });
  checkTier(ctx.workspace);
}

/** @throws plan_required */
export function checkTier({ plan }: Workspace): void {
  // The sandbox plan publishes nothing, so it may try out this feature.
  if (plan.tier < minTier && plan.name !== 'sandbox')
    throw coreErrors.plan_required({ plan: planOfTier(minTier), what: 'Publishing social posts' });
}

/** @throws schedule_at_invalid */
export function checkTime(now: number, at: number, field: string): void {
  if (at >= now && at <= now + maxAheadMs) return;
  const path = { path: field, code: 'out_of_range', message: `${field} is ${new Date(at).toISOString()}.` };
  throw errors.schedule_at_invalid({ field }, { details: [path] });
}

/** @throws sandbox_only */
export function checkScenario({ sandbox }: WorkspaceContext, scenario: SimulationScenario): void {
  if (scenario !== undefined && !sandbox) throw coreErrors.sandbox_only({ field: 'simulationScenario' });
}

/** @throws placeholders_left */
export const refuseUnwritten = ({ caption, channelCaptions, threadTweets }: SocialPostContent): void =>
  refusePlaceholders('The post', { caption, channelCaptions, threadTweets });

/** The refusal of a post with problems; undefined if it has no problems. */
export function postInvalidError(problems: readonly PostProblem[]) {
  const [first] = problems;
  if (first === undefined) return undefined;
  const details = problems.map(({ path, code, message }) => ({ path, code, message }));
  return errors.post_invalid({ problems: problems.length, first: first.message }, { details });
}

/** States that only a job ends: no call changes a post in them. */
const jobControlledStatuses: readonly SocialPostStatus[] = ['publishing', 'deleting'];
/** States to which no call moves a post: they result from approvals, checks and jobs. */
const notRequestable: readonly SocialPostStatus[] = ['pending_approval', 'draft', 'failed', 'deleting'];

/** The refusal of a call about a post that waits for approval. `verb`: as in "to change it". */
export const waitsForApprovalError = ({ id, approval_id: requestId }: SocialPostRow, verb = 'change') => {
  const route = `/v1/approvals/requests/${requestId}`;
  const nextStep =
    verb === 'publish'
      ? 'Do not publish it again: the approval does. To take the publication back:'
      : `To ${verb} it, withdraw the request first:`;
  return coreErrors.state_conflict({
    reason: `The publication of the post ${id} waits for approval ${requestId}. Track it with GET ${route}. ${nextStep} POST ${route}/withdraw. Then the post is as it was before.`,
  });
};

/** The verb of a call that moves a post to the state. */
const verbs: Partial<Record<SocialPostStatus, string>> = { publishing: 'publish', scheduled: 'schedule' };

/** The end of an error message about a post that no call can move. */
function hintOf({ id, status }: SocialPostRow): string {
  if (status === 'published')
    return `Nothing is left to publish. DELETE /v1/social/posts/${id} with fromProvider=true deletes it on the networks.`;
  if (status === 'deleted') return 'A deleted post stays deleted.';
  if (jobControlledStatuses.includes(status))
    return `Calls cannot change it until this has ended. GET /v1/social/posts/${id} shows the result.`;
  return `It can only be deleted: DELETE /v1/social/posts/${id} with fromProvider=true.`;
}

/** @throws state_conflict */
export function checkState(post: SocialPostRow, to: SocialPostStatus, from: readonly SocialPostStatus[]): void {
  if (from.includes(post.status)) return;
  if (post.status === 'pending_approval') throw waitsForApprovalError(post, verbs[to]);
  const nextStates = jobControlledStatuses.includes(post.status) ? [] : postStates.next(post.status);
  const requestableStates = nextStates.filter((state) => state !== to && !notRequestable.includes(state));
  const isPublished = post.status === 'published' && to === 'publishing';
  const refusal = isPublished
    ? 'is published already'
    : post.status === to
      ? `is ${to} already`
      : `is ${post.status}, so it cannot become ${to}`;
  const reason = `The post ${post.id} ${refusal}.`;
  throw coreErrors.state_conflict(
    requestableStates.length > 0 ? { reason, allowed: requestableStates } : { reason: `${reason} ${hintOf(post)}` },
  );
}

/** @throws state_conflict */
export function checkUnknown(targets: readonly TargetRow[]): void {
  const unknownChannels = targets
    .filter(({ status }) => status === 'unknown')
    .map(({ channel_id: channelId }) => channelId);
  if (unknownChannels.length === 0) return;
  throw coreErrors.state_conflict({
    reason: `It is unknown whether the post was published on ${unknownChannels.join(', ')}. Look there first; if it was not, publish it with retryUnknown.`,
  });
}

/** The channels on which the post can still be published. @throws state_conflict if there are none */
function openChannels(post: SocialPostRow, targets: readonly TargetRow[]): string[] {
  const openTargets = targets.filter(({ status }) => status !== 'published' && status !== 'deleted');
  if (openTargets.length > 0) return openTargets.map(({ channel_id: channelId }) => channelId);
  throw coreErrors.state_conflict({
    reason: `The post ${post.id} is live, or was deleted, on each of its channels: there is nothing left to publish.`,
  });
}

/** Cancels the job of an earlier schedule and releases its credits. */
export async function unschedule(ctx: OperationContext, post: SocialPostRow): Promise<void> {
  await unschedulePublication(ctx, post);
  if (post.hold_id !== null) await ctx.release(post.hold_id);
}

/** The post after the call, and the approval request that it waits for. */
export interface PublishOrScheduleResult {
  readonly post: SocialPostRow;
  readonly decision: PendingDecision | undefined;
}

/**
 * Publishes or schedules a locked post, or makes it wait for approval. `from`: the states in which the operation accepts a post.
 * @throws plan_required, state_conflict, schedule_at_invalid, placeholders_left, post_invalid, account_ambiguous, credits_exhausted
 */
export async function publishOrSchedule(
  ctx: OperationContext,
  post: SocialPostRow,
  { at, scenario, retryUnknown = false, areTextsPending: textsToCome }: PublishOrScheduleOptions,
  { from, field }: { readonly from: readonly SocialPostStatus[]; readonly field: string },
): Promise<PublishOrScheduleResult> {
  const to = at === null ? 'publishing' : 'scheduled';
  const isApproved = ctx.approvedRequest !== undefined && post.approval_id === ctx.approvedRequest;
  checkState(post, to, isApproved ? ['pending_approval'] : from);
  if (at !== null) checkTime(ctx.now, at, field);
  const evaluated = await evaluatePost(ctx, post, { textsToCome });
  const openIds = openChannels(post, evaluated.targets);
  refuseUnwritten(post.content);
  const postRefusal = postInvalidError(evaluated.problems);
  if (postRefusal !== undefined) throw postRefusal;
  if (!retryUnknown) checkUnknown(evaluated.targets);
  await settleAccounts(ctx, evaluated.targets, evaluated);
  const price = priceOf(evaluated, ctx.sandbox, openIds);
  const decision = await ctx.requireDecision(post.id, {
    credits: price,
    ...(at === null ? {} : { publishesAt: at }),
  });
  const changedColumns = {
    problems: [],
    price: priceOf(evaluated, ctx.sandbox),
    planning_kind: 'post',
    scheduled_at: at,
    scenario: ctx.sandbox ? (scenario ?? post.scenario ?? 'published') : null,
  } as const;
  if (decision !== undefined) {
    await unschedule(ctx, post);
    const approvalColumns = { hold_id: null, held: 0, approval_id: decision.requestId };
    return {
      decision,
      post: await movePost(ctx, post, { to: 'pending_approval', set: { ...changedColumns, ...approvalColumns } }),
    };
  }
  if (post.status === 'scheduled') await unschedule(ctx, post);
  const expiresAt = (at ?? ctx.now) + holdLifetimeMs;
  const hold = price === 0 ? null : await ctx.hold(price, 'publish social post', { expiresAt });
  const movedPost = await movePost(ctx, post, {
    to,
    set: { ...changedColumns, hold_id: hold, held: price, approval_id: null },
  });
  if (at === null) await startPublication(ctx, movedPost, { retryUnknown });
  else {
    schedulePublication(ctx, movedPost, at);
    ctx.emit('social.post.scheduled', await showPost(ctx, movedPost));
  }
  return { decision, post: movedPost };
}
