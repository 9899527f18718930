import { defineList, z } from '../../../core/index.ts';
import { presentListed } from '../present.ts';
import { templateResource } from '../schema.ts';
import { listedRows } from '../store.ts';
import { templateIn, usedLayout } from './fixture-rows.ts';

export const listTemplates = defineList({
  id: 'templates.list',
  summary: 'List templates',
  description:
    'Drafts, published templates and layouts, newest first. Archived templates are listed only with status=archived.',
  http: 'GET /v1/templates',
  tool: { name: 'list_templates', inCoreToolset: true },
  scopes: ['templates:read'],
  rows: listedRows,
  item: templateResource,
  present: presentListed,
  filters: {
    status: z.enum(['draft', 'published', 'archived']).optional(),
    category: z.enum(['marketing', 'transactional', 'system']).optional(),
    kind: z.enum(['email', 'layout']).optional(),
    layout: z.string().min(1).max(200).optional().describe('The key of a layout: lists the templates that use it.'),
  },
  customFilters: ['kind'],
  conditions:
    ({ status, kind }) =>
    (columns) => [
      ...(status === undefined ? [columns('status', '!=', 'archived')] : []),
      ...(kind === 'layout' ? [columns('kind', '=', 'layout')] : []),
      ...(kind === 'email' ? [columns('kind', 'is', null)] : []),
    ],
  exampleRow: templateIn,
  foreign: async (kit) => ({ layout: await usedLayout(kit, kit.foreignWorkspaceId) }),
});
