import { defineOperation, listOf, pageOfItems, pageQuery, z } from '../../../core/index.ts';
import { topicResource } from '../schema.ts';
import { listTopics as listRows, presentTopic } from '../store.ts';
import { firstTopic } from './fixture-rows.ts';

export const listTopics = defineOperation({
  id: 'topics.list',
  summary: 'List topics',
  description: 'What marketing mail can be about, in the order in which recipients see it: by position.',
  http: 'GET /v1/topics',
  tool: 'list_topics',
  searchWords: ['newsletter', 'category', 'subscription', 'preferences'],
  scopes: ['topics:read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: listOf(topicResource),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: firstTopic,

  async handler({ trx }, { query }) {
    const page = pageOfItems('topics.list', await listRows(trx), query, ({ key }) => key);
    return { ...page, data: page.data.map(presentTopic) };
  },
});
