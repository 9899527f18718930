import { defineOperation } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { keyParams, topicChanges, topicResource } from '../schema.ts';
import { presentTopic } from '../store.ts';
import { topicRows } from '../tables.ts';
import { someTopic } from './fixture-rows.ts';

export const updateTopic = defineOperation({
  id: 'topics.update',
  summary: 'Change a topic',
  description:
    'Fields that are left out stay unchanged. key and default cannot change: preferences and templates depend on them.',
  http: 'PATCH /v1/topics/{key}',
  tool: { name: 'update_topic', destructive: true },
  scopes: ['topics:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: { params: keyParams, body: topicChanges },
  fieldHints: {
    default: 'The default of a topic cannot change, because it counts for everybody without a preference.',
    key: 'A topic keeps its key.',
  },
  output: topicResource,
  entityTag: ({ version }) => version,
  ifMatch: true,
  errors: ['topic_not_found', 'version_conflict'],
  audit: { action: 'topic.update', target: ({ key }) => ({ kind: 'topic', id: key }) },
  fixture: async (kit) => ({
    params: { key: await someTopic(kit, kit.workspaceId) },
    body: { description: 'What is new, twice a month.', visibility: 'private' },
    foreign: { params: { key: await someTopic(kit, kit.foreignWorkspaceId) } },
    errors: { version_conflict: async () => ({ body: { name: 'Late', expectedVersion: 1_000_000 } }) },
  }),

  async handler(ctx, { params: { key }, body: { expectedVersion, ...changes } }) {
    const row = await topicRows.lock(ctx.trx, key);
    if (row === undefined) throw errors.topic_not_found({ key });
    ctx.expectVersion(row.version, expectedVersion);
    const next = { ...changes, version: row.version + 1, updated_at: ctx.now };
    return presentTopic(await topicRows.change(ctx.trx, row, next));
  },
});
