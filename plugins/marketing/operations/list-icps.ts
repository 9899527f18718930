import { defineList } from '../../../core/index.ts';
import { icpResource, presentIcp, someIcp } from '../schema.ts';
import { icpRows } from '../tables.ts';

export const listIcps = defineList({
  id: 'marketing.icps',
  summary: 'List the ICPs',
  description: 'The ideal customer profiles: whom the marketing is for. Newest first.',
  http: 'GET /v1/marketing/icps',
  tool: 'list_icps',
  scopes: ['marketing:read'],
  rows: icpRows,
  item: icpResource,
  present: presentIcp,
  one: someIcp,
});
