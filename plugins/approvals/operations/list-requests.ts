import { defineList, z } from '../../../core/index.ts';
import { decisionsOf, presentRequest } from '../present.ts';
import { contentKindId, requestResource, requestStatus } from '../schema.ts';
import { requestRows } from '../tables.ts';
import { someRequest, someRequestId } from './fixture-rows.ts';

export const listRequests = defineList({
  id: 'approvals.list',
  summary: 'List requests for approval',
  description: 'All requests, newest first: pending, decided, withdrawn and expired.',
  http: 'GET /v1/approvals/requests',
  tool: 'list_approvals',
  scopes: ['approvals:read'],
  rows: requestRows,
  item: requestResource,
  filters: {
    status: requestStatus.optional(),
    surfaceKind: contentKindId.optional(),
    targetId: z.string().max(200).optional(),
  },
  load: (ctx, rows) =>
    decisionsOf(
      ctx.trx,
      rows.map(({ id }) => id),
    ),
  present: (row, _ctx, decisions) => presentRequest(row, decisions.get(row.id) ?? []),
  exampleRow: someRequestId,
  foreign: async (kit) => ({ targetId: (await someRequest(kit, kit.foreignWorkspaceId)).targetId }),
});
