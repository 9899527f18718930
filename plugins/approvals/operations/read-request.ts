import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { someRequestId } from '../fixture-rows.ts';
import { showRequest } from '../present.ts';
import { requestResource } from '../schema.ts';
import { requestRows } from '../tables.ts';

export const readRequest = defineRead({
  id: 'approvals.read',
  summary: 'Read a request for approval',
  description:
    'With its rule, the decisions on it, and its differences to what is public: null where nothing is public yet, so read the target itself then.',
  http: 'GET /v1/approvals/requests/{requestId}',
  tool: 'read_approval',
  scopes: ['approvals:read'],
  rows: requestRows,
  item: requestResource,
  missing: errors.approval_not_found,
  present: (row, ctx) => showRequest(ctx.trx, row),
  one: someRequestId,
});
