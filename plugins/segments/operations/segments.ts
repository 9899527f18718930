import {
  defineCreate,
  defineList,
  defineRead,
  defineUpdate,
  type FixtureKit,
  type OperationContext,
} from '../../../core/index.ts';
import { lockWorkspace } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { listsIn, type SegmentFilter, segmentsIn, topicsIn } from '../filter-schema.ts';
import { checkActivities, checkNesting } from '../named-filters.ts';
import { maxSegments, segmentRows, segments } from '../segments.ts';

/**
 * Checks that the lists, topics and segments in a filter exist, and locks them, so that nobody deletes them before the
 * transaction ends.
 */
async function checkFilter(ctx: OperationContext, filter: SegmentFilter, segmentId: string | null): Promise<void> {
  // Two calls that would together make a cycle run one after the other, so that the second call sees the first one's
  // filter.
  await lockWorkspace(ctx.trx);
  checkActivities(ctx, filter);
  await checkNesting(ctx.trx, filter, segmentId);
  for (const id of segmentsIn(filter))
    if ((await segmentRows.findBy(ctx.trx, { id }, 'share')) === undefined) throw errors.segment_not_found({ id });
  for (const listId of listsIn(filter))
    if ((await ctx.services.lists.find(ctx.trx, listId, 'share')) === undefined)
      throw ctx.services.lists.notFound(listId);
  for (const key of topicsIn(filter))
    if ((await ctx.services.topics.find(ctx.trx, key, 'share')) === undefined) throw ctx.services.topics.notFound(key);
}

const unknownSegment = { segment: 'sgm_01ARZ3NDEKTSV4RRFFQ69G5FAV' };
const unknownTopic = { path: 'topic.nowhere', op: 'exists', value: true };
const unknownList = { path: 'list.lst_01ARZ3NDEKTSV4RRFFQ69G5FAV', op: 'exists', value: true };

/** The names in a filter that belong to another workspace. */
async function foreignNames(kit: FixtureKit) {
  return {
    filter: { segment: await segments.createExample(kit, kit.foreignWorkspaceId) },
    'filter.send.templateKey': 'skipped: compared with the sends of this workspace',
    'filter.send.broadcastId': 'skipped: compared with the sends of this workspace',
  };
}

export const listSegments = defineList({
  resource: segments,
  id: 'segments.list',
  summary: 'List segments',
  description:
    "Newest first. Both sides of the workspace share them; contactCount is of the caller's side, and null where counting takes too long for a list.",
  http: 'GET /v1/segments',
  tool: 'list_segments',
});

export const readSegment = defineRead({
  resource: segments,
  id: 'segments.read',
  summary: 'Read a segment',
  description: 'Answers its filter and how many contacts it has; not the contacts themselves.',
  http: 'GET /v1/segments/{segmentId}',
  tool: 'read_segment',
});

export const createSegment = defineCreate({
  resource: segments,
  id: 'segments.create',
  summary: 'Create a segment',
  description: `The contacts for which a filter is true now. A workspace has at most ${maxSegments} segments.`,
  http: 'POST /v1/segments',
  tool: 'create_segment',
  liveOnly: true,
  // Locks are taken in this order, because a deletion locks its segment before the workspace.
  retryOnConflict: true,
  limit: { max: maxSegments, resources: 'segments' },
  errors: ['segment_not_found', 'list_not_found', 'topic_not_found'],
  foreign: foreignNames,
  errorCases: {
    limit_reached: 'unreachable here: shown in test/plugins/segments.test.ts',
    segment_not_found: async (kit) => ({ body: { name: kit.unique('Nobody'), filter: unknownSegment } }),
    list_not_found: async (kit) => ({ body: { name: kit.unique('Nobody'), filter: unknownList } }),
    topic_not_found: async (kit) => ({ body: { name: kit.unique('Nobody'), filter: unknownTopic } }),
  },

  before: (ctx, { filter }) => checkFilter(ctx, filter, null),
  after: (ctx) => ctx.services.segments.updateWatches(ctx),
});

export const updateSegment = defineUpdate({
  resource: segments,
  id: 'segments.update',
  summary: 'Change a segment',
  description:
    'Fields that are left out stay unchanged. A new filter applies from the next read on. It causes no events of a watched segment.',
  http: 'PATCH /v1/segments/{segmentId}',
  tool: 'update_segment',
  liveOnly: true,
  // Two calls that make two segments refer to each other each lock their own segment first.
  retryOnConflict: true,
  errors: ['list_not_found', 'topic_not_found'],
  body: async () => ({ description: 'Everybody who pays.', filter: { did: 'order.placed', since: 'P30D' } }),
  foreign: foreignNames,
  errorCases: {
    list_not_found: async () => ({ body: { filter: unknownList } }),
    topic_not_found: async () => ({ body: { filter: unknownTopic } }),
  },

  async before(ctx, row, { filter }) {
    if (filter !== undefined) await checkFilter(ctx, filter, row.id);
  },
  after: (ctx) => ctx.services.segments.updateWatches(ctx),
});
