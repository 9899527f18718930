import { defineOperation, normaliseAddress, parseAddress, z } from '../../../core/index.ts';
import { deleteSuppression as deleteRow } from '../store.ts';
import { suppressedAddress } from './fixture-rows.ts';

export const deleteSuppression = defineOperation({
  id: 'suppressions.delete',
  summary: 'Take an address off the suppression list',
  description: 'Mail goes there again. Repeating it is harmless: deleted says whether there was one.',
  http: 'DELETE /v1/suppressions/{email}',
  tool: { name: 'delete_suppression', destructive: true },
  scopes: ['suppressions:write'],
  idempotency: 'natural',
  input: { params: z.object({ email: z.string().min(1).max(254) }) },
  output: z.object({ email: z.string(), deleted: z.boolean() }),
  audit: {
    action: 'suppression.delete',
    target: ({ email }) => ({ kind: 'domain', id: parseAddress(email)?.domain ?? '' }),
  },
  fixture: async (kit) => ({
    params: { email: await suppressedAddress(kit, kit.workspaceId) },
    foreign: { email: await suppressedAddress(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params }) {
    const email = normaliseAddress(params.email);
    const deleted = await deleteRow(ctx.trx, email);
    ctx.note({ deleted });
    return { email, deleted };
  },
});
