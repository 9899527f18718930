import {
  coreErrors,
  definePreparedOperation,
  type ErrorDetail,
  heldAnswer,
  type OperationContext,
  type PrepareContext,
  respond,
  type ServiceContext,
} from '../../../core/index.ts';
import type { ComposedTexts } from '../compose/compose.ts';
import { composed, composePrice } from '../compose/prepare.ts';
import { checkNamed, chooseAccounts } from '../content/accounts.ts';
import { findMedia, mediaFaults } from '../content/media.ts';
import { checkMember } from '../content/members.ts';
import { fieldFaults, mergeContent, noContent } from '../content/merge.ts';
import { publishingEvents } from '../events.ts';
import { type CreateBody, createBody } from '../input.ts';
import { createPost } from '../post/create.ts';
import { checkMayPublish, checkScenario, checkTime, type Gone, goingErrors } from '../post/going.ts';
import { resumePost } from '../post/resume.ts';
import { showPost } from '../present.ts';
import { problemsNotice } from '../problems/notice.ts';
import { socialPost } from '../resources.ts';
import type { PostContent } from '../schema.ts';
import { foreignContent, shownElsewhere, somePostBody } from './fixture-rows.ts';

/** Faults for fields that the mode does not allow, and for missing fields that it requires. */
function modeFaults(body: CreateBody): ErrorDetail[] {
  const { mode, publish, scheduleAt } = body;
  const faults: ErrorDetail[] = [];
  const refuse = (path: keyof CreateBody, reason: string) =>
    faults.push({ path, code: 'not_allowed', message: `${path} is refused: ${reason}` });
  const need = (path: keyof CreateBody, reason: string) =>
    faults.push({ path, code: 'required', message: `${path} is required ${reason}` });
  if (mode === 'copy' && body.brief !== undefined) refuse('brief', 'in mode copy the text is given.');
  if (mode === 'compose') {
    if (body.brief === undefined) need('brief', 'in mode compose: it says what to write.');
    for (const path of ['caption', 'channelCaptions'] as const)
      if (body[path] !== undefined) refuse(path, 'in mode compose the text is written from the brief.');
  } else if (body.composer !== undefined) refuse('composer', 'only mode compose has a composer.');
  if (mode === 'hold') {
    if (scheduleAt === undefined) need('scheduleAt', 'in mode hold: it is the place in the plan.');
    if (publish) refuse('publish', 'a hold is published later, when it has become a post.');
  } else if (body.assigneeUid !== undefined) refuse('assigneeUid', 'only a hold has an assignee.');
  if (publish && scheduleAt !== undefined && mode !== 'hold')
    refuse('scheduleAt', 'publish publishes now; give one of the two.');
  return faults;
}

/** When the call lets the post go out: a time, null for now, undefined if it does not. */
function goesOutOf({ mode, publish, scheduleAt }: CreateBody): number | null | undefined {
  if (mode === 'hold') return undefined;
  return publish ? null : scheduleAt;
}

/** Checks scope, plan, scenario and time before anything is composed or stored. */
function checkCall(ctx: OperationContext | PrepareContext, body: CreateBody): void {
  const goesOut = goesOutOf(body);
  if (goesOut !== undefined) checkMayPublish(ctx, 'leave out publish and scheduleAt to store the post');
  checkScenario(ctx, body.simulationScenario);
  if (body.scheduleAt !== undefined) checkTime(ctx.now, body.scheduleAt, 'scheduleAt');
}

const fieldsOf = (ctx: ServiceContext, body: CreateBody): ErrorDetail[] => [
  ...modeFaults(body),
  ...fieldFaults(ctx.services.socialChannels, body, body.channels),
];

/** Checks accounts and attachments, so that an invalid call fails before it is composed. */
async function checkBeforeComposing(ctx: PrepareContext, content: PostContent): Promise<void> {
  await ctx.read(async (ctx) => {
    checkNamed(content, await chooseAccounts(ctx.trx, content));
    const assets = await findMedia(ctx, content);
    const [first] = mediaFaults(content, assets);
    if (first !== undefined) throw coreErrors.validation_failed({ summary: first.message }, { details: [first] });
  });
}

export const createPostOperation = definePreparedOperation({
  id: 'social.post_create',
  summary: 'Create a social post',
  description:
    'mode copy stores the given text, compose has a model write one for each channel from a brief, hold keeps a place in the plan. What keeps the post from going out is in problems, and the post a draft. With publish or scheduleAt it goes out, now or then. Without a model a composed post stays a draft with the problem no_model until it has a caption, and publish and scheduleAt are refused. Publishing on X costs 1 credit a tweet, 4 with a URL; composing 2 a channel.',
  http: 'POST /v1/social/posts',
  tool: { name: 'create_social_post', openWorld: true, notice: problemsNotice },
  scopes: ['social:posts:write'],
  idempotency: 'replay',
  input: { body: createBody },
  output: socialPost,
  status: 201,
  alsoSucceeds: heldAnswer(socialPost, ({ id }) => `as ${id}`),
  surface: 'social_post',
  errors: [
    ...goingErrors,
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
        post_invalid: async () => ({ body: { ...body, caption: '', publish: true } }),
        schedule_at_invalid: async () => ({ body: { ...body, scheduleAt: '2020-01-01T00:00:00Z' } }),
        sandbox_only: async () => ({ body: { ...body, simulationScenario: 'failed' } }),
        asset_invalid: shownElsewhere.fields,
        plan_required: shownElsewhere.plans,
        insufficient_scope: shownElsewhere.plans,
        credits_exhausted: shownElsewhere.plans,
        compose_failed: shownElsewhere.composing,
        provider_timeout: shownElsewhere.composing,
        state_conflict: shownElsewhere.held,
        limit_reached: shownElsewhere.held,
      },
    };
  },

  async prepare(ctx, { body }): Promise<ComposedTexts | undefined> {
    if (ctx.approvedRequest !== undefined) return undefined;
    if (body.assigneeUid !== undefined && body.mode === 'hold') await checkMember(ctx, body.assigneeUid);
    if (body.mode !== 'compose' || fieldsOf(ctx, body).length > 0) return undefined;
    checkCall(ctx, body);
    const content = mergeContent(noContent, body);
    await checkBeforeComposing(ctx, content);
    return composed(ctx, body, content, goesOutOf(body) !== undefined);
  },

  async handler(ctx, { body }, texts) {
    const { post, decision } =
      ctx.approvedRequest === undefined ? await make(ctx, body, texts) : await resume(ctx, body);
    const shown = await showPost(ctx, post);
    return decision === undefined ? shown : respond(202, { ...shown, approval: decision });
  },
});

async function make(ctx: OperationContext, body: CreateBody, texts: ComposedTexts | undefined): Promise<Gone> {
  ctx.refuse(fieldsOf(ctx, body));
  checkCall(ctx, body);
  const isComposed = body.mode === 'compose';
  const goesOut = goesOutOf(body);
  if (isComposed) await ctx.charge(composePrice(ctx, body.channels), 'compose social post');
  return createPost(ctx, {
    mode: body.mode,
    content: { ...mergeContent(noContent, body), ...texts },
    plannedAt: body.mode === 'hold' ? (body.scheduleAt ?? null) : null,
    assigneeUid: body.assigneeUid ?? null,
    brief: body.brief ?? null,
    scenario: body.simulationScenario,
    goesOut,
    withProblems: isComposed ? 'draft' : 'refused',
    textsToCome: isComposed && ctx.dryRun,
  });
}

/** Lets the post go out that the call created before it was held. */
async function resume(ctx: OperationContext, body: CreateBody): Promise<Gone> {
  checkCall(ctx, body);
  return resumePost(ctx, { at: body.publish ? null : (body.scheduleAt ?? null), scenario: body.simulationScenario });
}
