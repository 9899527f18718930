import { defineOperation, pageOfItems, pageQuery, z } from '../../../core/index.ts';
import { listTemplates } from '../accept/templates.ts';
import { catalogResponse } from '../schema.ts';
import { loadSettings } from '../settings.ts';
import { someWording } from './fixture-rows.ts';

export const listCatalog = defineOperation({
  id: 'sms.catalog',
  summary: 'List the installed SMS templates',
  description:
    "The templates of this workspace: its chosen reserved keys, by default all of them, in the workspace's own wording if it has one.",
  http: 'GET /v1/messaging/transactional/catalog',
  tool: 'list_sms_templates',
  scopes: ['messaging.transactional.read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: catalogResponse,
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: someWording,

  async handler({ trx }, { query }) {
    const templates = await listTemplates(trx, await loadSettings(trx));
    return pageOfItems('sms.catalog', templates, query, ({ templateKey }) => templateKey);
  },
});
