import { collectReferences, defineOperation, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { removePreferencesKind } from '../jobs/kinds.ts';
import { keyParams } from '../schema.ts';
import { topicRows } from '../tables.ts';
import { someTopic } from './fixture-rows.ts';

export const deleteTopic = defineOperation({
  id: 'topics.delete',
  summary: 'Delete a topic',
  description:
    'Deletes the topic and its preferences on both sides. Opt-outs by a link in a mail are kept, in case a topic with the same key is created later. Refused while a template, a broadcast or a segment names the topic.',
  http: 'DELETE /v1/topics/{key}',
  tool: { name: 'delete_topic', destructive: true },
  scopes: ['topics:write'],
  liveOnly: true,
  idempotency: 'natural',
  input: { params: keyParams },
  output: z.object({ key: z.string(), deleted: z.literal(true) }),
  errors: ['topic_not_found', 'topic_in_use'],
  audit: { action: 'topic.delete', target: ({ key }) => ({ kind: 'topic', id: key }) },
  fixture: async (kit) => ({
    params: { key: await someTopic(kit, kit.workspaceId) },
    foreign: { key: await someTopic(kit, kit.foreignWorkspaceId) },
    errors: {
      topic_in_use: async (own) => {
        const topicKey = await someTopic(own, own.workspaceId);
        const key = own.unique('letter').toLowerCase();
        await own.call('templates.create', { key, category: 'marketing', topicKey });
        return { params: { key: topicKey } };
      },
    },
  }),

  async handler(ctx, { params: { key } }) {
    // Calls that begin to use the topic lock it, too, so that it cannot get a user while it is deleted.
    const row = await topicRows.lock(ctx.trx, key);
    if (row === undefined) throw errors.topic_not_found({ key });
    const users = await collectReferences(ctx, 'topics.references', key);
    if (users.length > 0) throw errors.topic_in_use({ key, users });
    await topicRows.remove(ctx.trx, key);
    // A job deletes the preferences, because one transaction could have too many of them. Without their topic, they are not shown.
    for (const sandbox of ctx.sandbox ? [true] : [false, true])
      ctx.enqueue({ kind: removePreferencesKind, payload: { key, deletedAt: ctx.now }, lane: 'bulk', sandbox });
    return { key, deleted: true as const };
  },
});
