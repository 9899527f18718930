import { defineOperation, pageOfItems, pageQuery, z } from '../../../core/index.ts';
import { kit } from '../kit/kit.ts';
import { kitAnswer } from '../schema.ts';
import { presentTemplate } from '../templates.ts';

export const browseKit = defineOperation({
  id: 'sms.kit',
  summary: 'List the reserved SMS keys',
  description:
    'The reserved keys with their class, the wording that comes with the service and the contract of its variables. What a workspace uses is in the catalog.',
  http: 'GET /v1/messaging/transactional/kit',
  tool: 'browse_sms_transactional_kit',
  scopes: ['messaging.transactional.read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: kitAnswer,
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  item: 'none: the keys come with the service',

  async handler(_, { query }) {
    const { data, next_cursor } = pageOfItems('sms.kit', kit, query, ({ templateKey }) => templateKey);
    return { data: data.map((template) => presentTemplate(template)), next_cursor };
  },
});
