import { coreErrors, defineOperation } from '../../../core/index.ts';
import { lockWorkspace } from '../../../core/unstable.ts';
import { maxTopics, newTopic, topicResource } from '../schema.ts';
import { listTopics, presentTopic } from '../store.ts';
import { topicRows } from '../tables.ts';
import { topicBody } from './fixture-rows.ts';

export const createTopic = defineOperation({
  id: 'topics.create',
  summary: 'Create a topic',
  description: `Something that marketing mail is about, such as product news. A marketing template names it with topicKey. A workspace has at most ${maxTopics} topics.`,
  http: 'POST /v1/topics',
  tool: 'create_topic',
  scopes: ['topics:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: { body: newTopic },
  output: topicResource,
  entityTag: ({ version }) => version,
  status: 201,
  errors: ['key_taken', 'limit_reached'],
  audit: { action: 'topic.create', target: ({ key }) => ({ kind: 'topic', id: key }) },
  fixture: async (kit) => ({
    body: topicBody(kit),
    errors: {
      key_taken: async (own) => {
        const body = topicBody(own);
        await own.call('topics.create', body);
        return { body };
      },
      limit_reached: 'unreachable here: shown in test/plugins/topics.test.ts',
    },
  }),

  async handler(ctx, { body }) {
    // The lock makes the second of two concurrent calls wait, so that it counts the topic of the first.
    await lockWorkspace(ctx.trx);
    const existingTopics = await listTopics(ctx.trx);
    if (existingTopics.some(({ key }) => key === body.key))
      throw coreErrors.key_taken({ key: body.key, resource: 'topic', change: `PATCH /v1/topics/${body.key}` });
    if (existingTopics.length >= maxTopics) throw coreErrors.limit_reached({ limit: maxTopics, resources: 'topics' });
    const { default: defaultState, position = (existingTopics.at(-1)?.position ?? -1) + 1, ...topicFields } = body;
    const times = { created_at: ctx.now, updated_at: ctx.now };
    return presentTopic(
      await topicRows.insert(ctx.trx, { ...topicFields, default_state: defaultState, position, version: 1, ...times }),
    );
  },
});
