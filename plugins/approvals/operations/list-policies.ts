import { defineOperation, listOf, pageOfItems, pageQuery, z } from '../../../core/index.ts';
import { contentKindIds } from '../content-kinds.ts';
import { presentPolicy } from '../present-policy.ts';
import { policyResource } from '../schema.ts';
import { policyRows } from '../tables.ts';
import { somePolicy } from './fixture-rows.ts';

export const listPolicies = defineOperation({
  id: 'approvals.policies',
  summary: 'List approval policies',
  description: 'One policy for each content kind, including kinds whose calls are not held.',
  http: 'GET /v1/approvals/policies',
  tool: 'list_approval_policies',
  scopes: ['approvals:read'],
  idempotency: 'read',
  input: { query: z.object(pageQuery) },
  output: listOf(policyResource),
  errors: ['cursor_invalid'],
  fixture: async () => ({}),
  exampleRow: somePolicy,

  async handler(ctx, { query }) {
    const rows = await policyRows.page(ctx.trx, { limit: contentKindIds.length });
    const { policies } = ctx.services.approvals;
    const { data, next_cursor } = pageOfItems('approvals.policies', contentKindIds, query, (kind) => kind);
    return {
      data: data.map((kind) => {
        const row = rows.find((stored) => stored.surface_kind === kind);
        return presentPolicy(kind, policies.effective(kind, row), row);
      }),
      next_cursor,
    };
  },
});
