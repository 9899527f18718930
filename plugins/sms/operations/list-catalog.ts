import { defineOperation, pageOfItems, pageQuery, z } from '../../../core/index.ts';
import { catalogAnswer } from '../schema.ts';
import { loadSettings } from '../settings.ts';
import { listTemplates } from '../templates.ts';
import { someWording } from './fixture-rows.ts';

export const listCatalog = defineOperation({
  id: 'sms.catalog',
  summary: 'List the installed SMS templates',
  description:
    "The templates of this workspace: all reserved keys unless it chose some, in the workspace's own wording where it has one.",
  http: 'GET /v1/messaging/transactional/catalog',
  tool: 'list_sms_templates',
  scopes: ['messaging.transactional.read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: catalogAnswer,
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  item: someWording,

  async handler({ trx }, { query }) {
    const templates = await listTemplates(trx, await loadSettings(trx));
    return pageOfItems('sms.catalog', templates, query, ({ templateKey }) => templateKey);
  },
});
