import { defineOperation, heldResponse, type OperationContext, respond } from '../../../core/index.ts';
import type { SocialService } from '../../social/index.ts';
import { captionsOf, contentOf, defaultChannels, eventOf } from '../captions.ts';
import { findKey, takeKey } from '../dedupe-keys.ts';
import { showRun } from '../runs.ts';
import { runResource, runResourceObject, type TriggerBody, triggerBody } from '../schema.ts';
import { runRows, type SocialEventRunRow, variableRows } from '../tables.ts';
import {
  badVariables,
  builtIn,
  foreignAttachments,
  someTrigger,
  testedElsewhere,
  unknownEvent,
} from './fixture-rows.ts';

type CreatedPostResult = Awaited<ReturnType<SocialService['create']>>;

/** A run, and the pending approval of its post. */
interface TriggerResult {
  readonly row: SocialEventRunRow;
  readonly deduplicated?: boolean;
  readonly decision?: CreatedPostResult['decision'];
}

export const triggerEvent = defineOperation({
  id: 'social_events.trigger',
  summary: 'Trigger an event that becomes a social post',
  description:
    'Creates a post about an event from its template: a draft, or with outcome publish a post that is published now or at scheduleAt. Outcome preview only stores the captions. A dedupeKey prevents a second post about the same event; a preview does not use it up.',
  http: 'POST /v1/social/transactional/events',
  tool: { name: 'trigger_social_event', openWorld: true },
  scopes: ['social:posts:write'],
  idempotency: 'replay',
  input: { body: triggerBody },
  output: runResource,
  status: 201,
  secondSuccess: heldResponse(runResourceObject, ({ postId }) => `as ${postId}`),
  contentKind: 'social_post',
  errors: [
    'social_event_not_found',
    'variables_invalid',
    'account_missing',
    'account_not_found',
    'account_ambiguous',
    'asset_not_found',
    'asset_invalid',
    'post_invalid',
    'schedule_at_invalid',
    'sandbox_only',
    'insufficient_scope',
    'plan_required',
    'credits_exhausted',
    'state_conflict',
    'limit_reached',
  ],
  emits: [
    'social.post.created',
    'social.post.scheduled',
    'social.post.published',
    'social.post.partially_published',
    'social.post.failed',
    'social.network.disconnected',
    'approval.requested',
    'approval.decided',
    'budget.reached',
  ],
  audit: { action: 'social.event.trigger', target: ({ runId }) => ({ kind: 'social_event', id: runId }) },
  fixture: async (kit) => ({
    body: someTrigger(kit),
    foreign: {
      body: {
        ...(await foreignAttachments(kit)),
        eventKey: builtIn,
        dedupeKey: 'skipped: the caller chooses the text, and no row has it as its id',
        targetAccountRefs:
          'skipped: an account of another workspace is refused as unknown, shown in test/plugins/social-events.test.ts',
      },
    },
    errors: {
      social_event_not_found: unknownEvent,
      variables_invalid: badVariables,
      account_missing: async (kit) => {
        const { channels: _, ...body } = someTrigger(kit);
        return { body: { ...body, channels: undefined } };
      },
      account_not_found: async (kit) => {
        const [channelId = ''] = someTrigger(kit).channels;
        return { body: { ...someTrigger(kit), targetAccountRefs: { [channelId]: 'soa_01ARZ3NDEKTSV4RRFFQ69G5FAV' } } };
      },
      asset_not_found: async (kit) => ({
        body: { ...someTrigger(kit), media: [{ kind: 'image', assetId: 'asset_01ARZ3NDEKTSV4RRFFQ69G5FAV' }] },
      }),
      post_invalid: async (kit) => ({ body: { ...someTrigger(kit), outcome: 'publish' } }),
      schedule_at_invalid: async (kit) => ({
        body: { ...someTrigger(kit), outcome: 'publish', scheduleAt: '2020-01-01T00:00:00Z' },
      }),
      sandbox_only: async (kit) => ({ body: { ...someTrigger(kit), simulationScenario: 'failed' } }),
      account_ambiguous: testedElsewhere.here,
      asset_invalid: testedElsewhere.fields,
      insufficient_scope: testedElsewhere.here,
      plan_required: testedElsewhere.here,
      credits_exhausted: testedElsewhere.here,
      state_conflict: testedElsewhere.held,
      limit_reached: testedElsewhere.held,
    },
  }),

  async handler(ctx, { body }) {
    const { row, deduplicated, decision } =
      ctx.approvedRequest === undefined ? await runTrigger(ctx, body) : await resume(ctx, body);
    const response = await showRun(ctx, row, deduplicated);
    return decision === undefined ? response : respond(202, { ...response, approval: decision });
  },
});

const publishOptionsOf = ({ scheduleAt, simulationScenario: scenario }: TriggerBody) => ({
  at: scheduleAt ?? null,
  scenario,
});

/** @throws validation_failed, insufficient_scope, plan_required, schedule_at_invalid, sandbox_only */
function checkOutcome(ctx: OperationContext, body: TriggerBody): void {
  const { social } = ctx.services;
  social.checkScenario(ctx, body.simulationScenario);
  if (body.outcome === 'publish') social.checkPublishOrSchedule(ctx, publishOptionsOf(body));
  else if (body.scheduleAt !== undefined) {
    const message = `scheduleAt is refused: outcome ${body.outcome} publishes nothing. Use outcome publish.`;
    ctx.refuse([{ path: 'scheduleAt', code: 'not_allowed', message }]);
  }
}

/** Reserves the dedupeKey for the run, or finds the run that already has it. A preview only looks for a run and reserves no key. */
async function reserveKey(ctx: OperationContext, { dedupeKey, outcome }: TriggerBody, runId: string) {
  if (dedupeKey === undefined) return { dedupeKey: null, first: undefined };
  if (outcome === 'preview') return { dedupeKey: null, first: await findKey(ctx, dedupeKey) };
  return { dedupeKey, first: await takeKey(ctx, dedupeKey, runId) };
}

async function runTrigger(ctx: OperationContext, body: TriggerBody): Promise<TriggerResult> {
  const runId = ctx.newId('sev');
  const { dedupeKey, first: earlierRun } = await reserveKey(ctx, body, runId);
  if (earlierRun !== undefined) return { row: earlierRun, deduplicated: true };
  const event = eventOf(body.eventKey);
  checkOutcome(ctx, body);
  const { social, socialEventWordings: wordings } = ctx.services;
  const variables = wordings.accept(event, body.variables);
  const channels = body.channels ?? (await defaultChannels(ctx, event));
  const content = contentOf(ctx, event, channels, variables, body);
  const { problems } = await social.evaluate(ctx, content);
  const createdPost = body.outcome === 'preview' ? undefined : await createPost(ctx, body, { runId, content });
  const row = await runRows.insert(ctx.trx, {
    id: runId,
    sandbox: ctx.sandbox,
    event_key: event.eventKey,
    outcome: body.outcome,
    captions: captionsOf(ctx, content, problems),
    post_id: createdPost?.post.id ?? null,
    dedupe_key: dedupeKey,
    created_at: ctx.now,
  });
  await variableRows.insert(ctx.trx, { run_id: runId, variables, created_at: ctx.now });
  return { row, decision: createdPost?.decision };
}

function createPost(
  ctx: OperationContext,
  body: TriggerBody,
  { runId, content }: { runId: string; content: ReturnType<SocialService['content']> },
): Promise<CreatedPostResult> {
  const { at, scenario } = publishOptionsOf(body);
  const publishAt = body.outcome === 'publish' ? at : undefined;
  return ctx.services.social.create(ctx, { mode: 'copy', content, groupId: runId, scenario, publishAt });
}

/** Continues a held call after its approval: publishes or schedules the post that the call had created. */
async function resume(ctx: OperationContext, body: TriggerBody): Promise<TriggerResult> {
  const { social } = ctx.services;
  social.checkPublishOrSchedule(ctx, publishOptionsOf(body));
  const { post, decision } = await social.resume(ctx, publishOptionsOf(body));
  const row = await runRows.findBy(ctx.trx, { post_id: post.id });
  if (row === undefined) throw new Error(`The post ${post.id} does not belong to a run of a social event.`);
  return { row, decision };
}
