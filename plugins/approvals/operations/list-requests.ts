import { defineList, z } from '../../../core/index.ts';
import { someRequest, someRequestId } from '../fixture-rows.ts';
import { decisionsOf, presentRequest } from '../present.ts';
import { requestResource, requestStatus, surfaceKind } from '../schema.ts';
import { requestRows } from '../tables.ts';

export const listRequests = defineList({
  id: 'approvals.list',
  summary: 'List requests for approval',
  description: 'All of them, newest first: those that wait, and those that were decided.',
  http: 'GET /v1/approvals/requests',
  tool: 'list_approvals',
  scopes: ['approvals:read'],
  rows: requestRows,
  item: requestResource,
  filters: {
    status: requestStatus.optional(),
    surfaceKind: surfaceKind.optional(),
    targetId: z.string().max(200).optional(),
  },
  load: (ctx, shown) =>
    decisionsOf(
      ctx.trx,
      shown.map(({ id }) => id),
    ),
  present: (row, _ctx, decisions) => presentRequest(row, decisions.get(row.id) ?? []),
  one: someRequestId,
  foreign: async (kit) => ({ targetId: (await someRequest(kit, kit.foreignWorkspaceId)).targetId }),
});
