import { defineOperation, pageOfItems, pageQuery, z } from '../../../core/index.ts';
import { presentTemplate } from '../accept/templates.ts';
import { kit } from '../kit/kit.ts';
import { kitResponse } from '../schema.ts';

export const browseKit = defineOperation({
  id: 'sms.kit',
  summary: 'List the built-in SMS texts',
  description:
    'The built-in texts by their reserved keys, with the class and the contract of the variables. The catalog operation lists the keys that are installed in a workspace.',
  http: 'GET /v1/messaging/transactional/kit',
  tool: 'browse_sms_transactional_kit',
  scopes: ['messaging.transactional.read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: kitResponse,
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: 'skipped: the texts come with the service',

  async handler(_, { query }) {
    const { data, next_cursor } = pageOfItems('sms.kit', kit, query, ({ templateKey }) => templateKey);
    return { data: data.map((template) => presentTemplate(template)), next_cursor };
  },
});
