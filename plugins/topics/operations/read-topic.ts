import { defineOperation } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { keyParams, topicResource } from '../schema.ts';
import { presentTopic } from '../store.ts';
import { topicRows } from '../tables.ts';
import { someTopic } from './fixture-rows.ts';

export const readTopic = defineOperation({
  id: 'topics.read',
  summary: 'Read a topic',
  description: 'Its texts, its default, and whether recipients find it on their page of preferences.',
  http: 'GET /v1/topics/{key}',
  tool: 'read_topic',
  scopes: ['topics:read'],
  idempotency: 'read',
  input: { params: keyParams },
  output: topicResource,
  entityTag: ({ version }) => version,
  errors: ['topic_not_found'],
  fixture: async (kit) => ({
    params: { key: await someTopic(kit, kit.workspaceId) },
    foreign: { key: await someTopic(kit, kit.foreignWorkspaceId) },
  }),

  async handler({ trx }, { params: { key } }) {
    const row = await topicRows.find(trx, key);
    if (row === undefined) throw errors.topic_not_found({ key });
    return presentTopic(row);
  },
});
