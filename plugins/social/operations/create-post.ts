import {
  coreErrors,
  defineOperationWithPrepare,
  type ErrorDetail,
  heldResponse,
  type OperationContext,
  type PrepareContext,
  respond,
  type ServiceContext,
} from '../../../core/index.ts';
import type { ComposedTexts } from '../compose/compose.ts';
import { composedTexts, composePrice } from '../compose/write-texts.ts';
import { checkNamed, chooseAccounts } from '../content/accounts.ts';
import { findMedia, mediaFaults } from '../content/media.ts';
import { checkMember } from '../content/members.ts';
import { fieldFaults, mergeContent, noContent } from '../content/merge.ts';
import { publishingEvents } from '../events.ts';
import { type CreatePostBody, createBody } from '../input.ts';
import { createPost } from '../post/create-post.ts';
import {
  checkMayPublish,
  checkScenario,
  checkTime,
  type PublishOrScheduleResult,
  publishOrScheduleErrors,
} from '../post/publish-or-schedule.ts';
import { resumePost } from '../post/resume-post.ts';
import { showPost } from '../present.ts';
import { problemsNotice } from '../problems/notice.ts';
import { socialPost } from '../resources.ts';
import type { SocialPostContent } from '../schema.ts';
import { foreignContent, somePostBody, testedElsewhere, unwritten } from './fixture-rows.ts';

/** Faults for fields that the mode does not allow, and for missing fields that it requires. */
function modeFaults(body: CreatePostBody): ErrorDetail[] {
  const { mode, publish, scheduleAt } = body;
  const faults: ErrorDetail[] = [];
  const refuseField = (path: keyof CreatePostBody, reason: string) =>
    faults.push({ path, code: 'not_allowed', message: `${path} is refused: ${reason}` });
  const requireField = (path: keyof CreatePostBody, reason: string) =>
    faults.push({ path, code: 'required', message: `${path} is required ${reason}` });
  if (mode === 'copy' && body.brief !== undefined) refuseField('brief', 'in mode copy, the caller gives the text.');
  if (mode === 'compose') {
    if (body.brief === undefined) requireField('brief', 'in mode compose: it describes what to write.');
    for (const path of ['caption', 'channelCaptions'] as const)
      if (body[path] !== undefined) refuseField(path, 'in mode compose the text is written from the brief.');
  } else if (body.composer !== undefined) refuseField('composer', 'only mode compose uses a composer.');
  if (mode === 'hold') {
    if (scheduleAt === undefined) requireField('scheduleAt', 'in mode hold: it is the place in the plan.');
    if (publish) refuseField('publish', 'a hold is published later, when it has become a post.');
  } else if (body.assigneeUid !== undefined) refuseField('assigneeUid', 'only a hold has an assignee.');
  if (publish && scheduleAt !== undefined && mode !== 'hold')
    refuseField('scheduleAt', 'publish publishes now; give one of the two.');
  return faults;
}

/** The time at which the call publishes the post: null for now, undefined if it does not publish the post. */
function publishTimeOf({ mode, publish, scheduleAt }: CreatePostBody): number | null | undefined {
  if (mode === 'hold') return undefined;
  return publish ? null : scheduleAt;
}

/** Checks scope, plan, scenario and time before anything is composed or stored. */
function checkCall(ctx: OperationContext | PrepareContext, body: CreatePostBody): void {
  const goesOut = publishTimeOf(body);
  if (goesOut !== undefined) checkMayPublish(ctx, 'leave out publish and scheduleAt to store the post');
  checkScenario(ctx, body.simulationScenario);
  if (body.scheduleAt !== undefined) checkTime(ctx.now, body.scheduleAt, 'scheduleAt');
}

const bodyFaults = (ctx: ServiceContext, body: CreatePostBody): ErrorDetail[] => [
  ...modeFaults(body),
  ...fieldFaults(ctx.services.socialChannels, body, body.channels),
];

/** Checks accounts and attachments, so that an invalid call fails before it is composed. */
async function checkBeforeComposing(ctx: PrepareContext, content: SocialPostContent): Promise<void> {
  await ctx.read(async (tx) => {
    checkNamed(content, await chooseAccounts(tx.trx, content));
    const assets = await findMedia(tx, content);
    const [first] = mediaFaults(content, assets);
    if (first !== undefined) throw coreErrors.validation_failed({ summary: first.message }, { details: [first] });
  });
}

export const createPostOperation = defineOperationWithPrepare({
  id: 'social.post_create',
  summary: 'Create a social post',
  description:
    'mode copy stores the given text, compose has a model write one for each channel from a brief, hold creates a placeholder post in the plan. If the post cannot be published, problems contains the reasons, and it is stored as a draft. With publish it is published now, with scheduleAt at that time. Without a model a composed post is a draft with placeholders; publish and scheduleAt are refused. Publishing on X costs 1 credit a tweet, 4 with a URL; composing 2 a channel.',
  http: 'POST /v1/social/posts',
  tool: { name: 'create_social_post', openWorld: true, notice: problemsNotice },
  scopes: ['social:posts:write'],
  idempotency: 'replay',
  input: { body: createBody },
  output: socialPost,
  status: 201,
  secondSuccess: heldResponse(socialPost, ({ id }) => `as ${id}`),
  contentKind: 'social_post',
  errors: [
    ...publishOrScheduleErrors,
    'insufficient_scope',
    'account_not_found',
    'asset_not_found',
    'asset_invalid',
    'schedule_at_invalid',
    'compose_failed',
    'provider_timeout',
    'state_conflict',
    'limit_reached',
  ],
  emits: [
    'social.post.created',
    'social.post.scheduled',
    ...publishingEvents,
    'approval.requested',
    'approval.decided',
    'budget.reached',
  ],
  audit: { action: 'social.post.create', target: ({ id }) => ({ kind: 'social_post', id }) },
  fixture: async (kit) => {
    const body = await somePostBody(kit);
    const [channelId = ''] = body.channels;
    return {
      body,
      foreign: { body: await foreignContent(kit) },
      errors: {
        account_not_found: async () => ({
          body: { ...body, targetAccountRefs: { [channelId]: 'soa_01ARZ3NDEKTSV4RRFFQ69G5FAV' } },
        }),
        account_ambiguous: async () => {
          await somePostBody(kit);
          return { body: { ...body, targetAccountRefs: {} } };
        },
        asset_not_found: async () => ({
          body: { ...body, media: [{ kind: 'image', assetId: 'asset_01ARZ3NDEKTSV4RRFFQ69G5FAV' }] },
        }),
        placeholders_left: async () => ({ body: { ...body, caption: unwritten, publish: true } }),
        post_invalid: async () => ({ body: { ...body, caption: '', publish: true } }),
        schedule_at_invalid: async () => ({ body: { ...body, scheduleAt: '2020-01-01T00:00:00Z' } }),
        sandbox_only: async () => ({ body: { ...body, simulationScenario: 'failed' } }),
        asset_invalid: testedElsewhere.fields,
        plan_required: testedElsewhere.plans,
        insufficient_scope: testedElsewhere.plans,
        credits_exhausted: testedElsewhere.plans,
        compose_failed: testedElsewhere.composing,
        provider_timeout: testedElsewhere.composing,
        state_conflict: testedElsewhere.held,
        limit_reached: testedElsewhere.held,
      },
    };
  },

  async prepare(ctx, { body }): Promise<ComposedTexts | undefined> {
    if (ctx.approvedRequest !== undefined) return undefined;
    if (body.assigneeUid !== undefined && body.mode === 'hold') await checkMember(ctx, body.assigneeUid);
    if (body.mode !== 'compose' || bodyFaults(ctx, body).length > 0) return undefined;
    checkCall(ctx, body);
    const content = mergeContent(noContent, body);
    await checkBeforeComposing(ctx, content);
    return composedTexts(ctx, body, content, publishTimeOf(body) !== undefined);
  },

  async handler(ctx, { body }, texts) {
    const { post, decision } =
      ctx.approvedRequest === undefined ? await createFromBody(ctx, body, texts) : await resume(ctx, body);
    const response = await showPost(ctx, post);
    return decision === undefined ? response : respond(202, { ...response, approval: decision });
  },
});

async function createFromBody(
  ctx: OperationContext,
  body: CreatePostBody,
  texts: ComposedTexts | undefined,
): Promise<PublishOrScheduleResult> {
  ctx.refuse(bodyFaults(ctx, body));
  checkCall(ctx, body);
  const isComposed = body.mode === 'compose';
  const publishAt = publishTimeOf(body);
  if (isComposed) await ctx.charge(composePrice(ctx, body.channels), 'compose social post');
  return createPost(ctx, {
    mode: body.mode,
    content: { ...mergeContent(noContent, body), ...texts },
    plannedAt: body.mode === 'hold' ? (body.scheduleAt ?? null) : null,
    assigneeUid: body.assigneeUid ?? null,
    brief: body.brief ?? null,
    scenario: body.simulationScenario,
    publishAt,
    onProblems: isComposed ? 'draft' : 'refused',
    areTextsPending: isComposed && ctx.dryRun,
  });
}

/** Continues a held call after its approval: publishes or schedules the post that the call had created. */
async function resume(ctx: OperationContext, body: CreatePostBody): Promise<PublishOrScheduleResult> {
  checkCall(ctx, body);
  return resumePost(ctx, { at: body.publish ? null : (body.scheduleAt ?? null), scenario: body.simulationScenario });
}
