import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { icpResource, presentIcp, someIcp } from '../schema.ts';
import { icpRows } from '../tables.ts';

export const readIcp = defineRead({
  id: 'marketing.icp_read',
  summary: 'Read an ICP',
  description: 'One ideal customer profile with all its fields; list_icps has the ids.',
  http: 'GET /v1/marketing/icps/{icpId}',
  tool: 'read_icp',
  scopes: ['marketing:read'],
  rows: icpRows,
  item: icpResource,
  present: presentIcp,
  missing: errors.icp_not_found,
  one: someIcp,
});
