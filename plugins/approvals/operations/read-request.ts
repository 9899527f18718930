import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { showRequest } from '../present.ts';
import { requestResource } from '../schema.ts';
import { requestRows } from '../tables.ts';
import { someRequestId } from './fixture-rows.ts';

export const readRequest = defineRead({
  id: 'approvals.read',
  summary: 'Read a request for approval',
  description:
    'Returns the request with its rule, its decisions, and its differences from the public content. The differences are null if nothing is public yet: then read the target.',
  http: 'GET /v1/approvals/requests/{requestId}',
  tool: 'read_approval',
  scopes: ['approvals:read'],
  rows: requestRows,
  item: requestResource,
  notFoundError: errors.approval_not_found,
  present: (row, ctx) => showRequest(ctx.trx, row),
  exampleRow: someRequestId,
});
