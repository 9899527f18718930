import {
  defineCreate,
  defineList,
  defineRead,
  defineUpdate,
  type FixtureKit,
  idParameter,
  type OperationContext,
} from '../../../core/index.ts';
import type { SegmentsService } from '../../segments/index.ts';
import { broadcastKindId, broadcasts } from '../broadcasts.ts';
import { checkLimit } from '../draft.ts';
import { type Audience, broadcastStatus, maxOpenBroadcasts } from '../schema.ts';
import { plannedMoment } from '../send-time.ts';
import { requireState } from '../transitions.ts';
import { missingAudience, someAudience, someScheduled, someTopic, wholeBroadcast } from './fixture-rows.ts';

interface DraftReferences {
  readonly audience?: Audience | null | undefined;
  readonly topicKey?: string | null | undefined;
}

/**
 * Checks the list, segment and topic that a draft names. They cannot be deleted until the transaction ends. @throws list_not_found,
 * segment_not_found, topic_not_found
 */
export async function checkNames(ctx: OperationContext, { audience, topicKey }: DraftReferences): Promise<void> {
  const { services, trx } = ctx;
  const segments: SegmentsService = services.segments;
  for (const part of [...(audience?.include ?? []), ...(audience?.exclude ?? [])])
    if ('listId' in part) {
      if ((await services.lists.find(trx, part.listId, 'share')) === undefined)
        throw services.lists.notFound(part.listId);
    } else if ((await segments.find(trx, part.segmentId, 'share')) === undefined)
      throw segments.notFound(part.segmentId);
  if (typeof topicKey === 'string' && (await services.topics.find(trx, topicKey, 'share')) === undefined)
    throw services.topics.notFound(topicKey);
}

const nameErrors = ['list_not_found', 'segment_not_found', 'topic_not_found'] as const;

const nameErrorCases = {
  list_not_found: async (kit: FixtureKit) => ({
    body: { name: kit.unique('News'), audience: missingAudience.list },
  }),
  segment_not_found: async (kit: FixtureKit) => ({
    body: { name: kit.unique('News'), audience: missingAudience.segment },
  }),
  topic_not_found: async (kit: FixtureKit) => ({ body: { name: kit.unique('News'), topicKey: 'nowhere' } }),
};

async function foreignNames(kit: FixtureKit) {
  const theirs = kit.foreignWorkspaceId;
  return {
    audience: { include: [{ listId: await someAudience(kit, theirs) }] },
    'audience.include[].segmentId': 'skipped: like listId, shown in test/plugins/broadcasts.test.ts',
    'audience.exclude[].listId': 'skipped: like listId of include',
    'audience.exclude[].segmentId': 'skipped: like listId of include',
    templateKey: 'skipped: only scheduling looks it up',
    'experiment.variants[].templateKey': 'skipped: only scheduling looks it up',
    topicKey: await someTopic(kit, theirs),
  };
}

export const listBroadcasts = defineList({
  resource: broadcasts,
  id: 'broadcasts.list',
  summary: 'List broadcasts',
  description: "Newest first, on the caller's side, with their counts.",
  http: 'GET /v1/broadcasts',
  tool: 'list_broadcasts',
  filters: {
    status: broadcastStatus.optional(),
    campaignId: idParameter('cam').optional().describe('Only broadcasts of this planned email.'),
  },
  foreign: async () => ({ campaignId: 'skipped: a broadcast of this workspace has a planned email of this workspace' }),
});

export const readBroadcast = defineRead({
  resource: broadcasts,
  id: 'broadcasts.read',
  summary: 'Read a broadcast',
  description: 'Returns the content, audience and status, and counts that always add up.',
  http: 'GET /v1/broadcasts/{broadcastId}',
  tool: 'read_broadcast',
});

export const createBroadcast = defineCreate({
  resource: broadcasts,
  id: 'broadcasts.create',
  summary: 'Create a broadcast',
  description: `A draft of one mail to an audience. Nothing is sent before it is scheduled. A workspace has at most ${maxOpenBroadcasts} broadcasts that are neither sent nor canceled.`,
  http: 'POST /v1/broadcasts',
  tool: 'create_broadcast',
  body: (kit) => wholeBroadcast(kit, kit.workspaceId),
  errors: ['limit_reached', ...nameErrors],
  foreign: foreignNames,
  errorCases: { limit_reached: 'unreachable here: shown in test/plugins/broadcasts.test.ts', ...nameErrorCases },

  async before(ctx, body) {
    await checkLimit(ctx);
    await checkNames(ctx, body);
    return { due_at: plannedMoment({ send_at: body.sendAt, timezone: body.timezone }) };
  },
});

export const updateBroadcast = defineUpdate({
  resource: broadcasts,
  id: 'broadcasts.update',
  summary: 'Change a draft of a broadcast',
  description:
    'Fields that are left out stay unchanged. Only a draft changes: unschedule a scheduled broadcast first. A decision that waits for the draft is withdrawn.',
  http: 'PATCH /v1/broadcasts/{broadcastId}',
  tool: 'update_broadcast',
  errors: ['state_conflict', ...nameErrors],
  emits: ['approval.decided'],
  body: async () => ({ name: 'Summer news', variables: { name: '{{ contact.attributes.name }}' } }),
  foreign: foreignNames,
  errorCases: {
    state_conflict: async (kit) => ({
      params: { broadcastId: await someScheduled(kit, kit.workspaceId) },
      body: { name: 'Too late' },
    }),
    ...nameErrorCases,
  },

  async before(ctx, row, body) {
    requireState(row, ['draft'], 'changed');
    await checkNames(ctx, body);
    const { sendAt = row.send_at, timezone = row.timezone } = body;
    return { due_at: plannedMoment({ send_at: sendAt, timezone }) };
  },
  after: (ctx, { id }) => ctx.contentChanged(broadcastKindId, [id]),
});
