import { defineList } from '../../../core/index.ts';
import { approvalsOf, presentPage } from '../present.ts';
import { composeStatus, pageResource, pageStatus } from '../schema.ts';
import { summaryRows } from '../tables.ts';
import { somePage } from './fixture-rows.ts';

export const listPages = defineList({
  id: 'pages.list',
  summary: 'List pages',
  description: 'Newest first, with their state and their sections by id, kind and heading.',
  http: 'GET /v1/pages',
  tool: 'list_pages',
  scopes: ['pages:read'],
  rows: summaryRows,
  item: pageResource,
  filters: {
    status: pageStatus.optional().describe('Only pages of this status.'),
    composeStatus: composeStatus.optional().describe('Only pages whose build is in this state.'),
  },
  load: (ctx, shown) =>
    approvalsOf(
      ctx,
      shown.map(({ id }) => id),
    ),
  present: (row, ctx, approvals) => presentPage(ctx, row, approvals.get(row.id)),
  exampleRow: somePage,
});
