import { defineOperation, normaliseAddress, parseAddress, z } from '../../../core/index.ts';
import { deleteSuppression as deleteRow } from '../store.ts';
import { suppressedAddress } from './fixture-rows.ts';

export const deleteSuppression = defineOperation({
  id: 'suppressions.delete',
  summary: 'Take an address off the suppression list',
  description:
    'The address gets mail again. Repeating the call is harmless: deleted reports whether a suppression existed.',
  http: 'DELETE /v1/suppressions/{email}',
  tool: { name: 'delete_suppression', destructive: true },
  searchWords: ['unblock', 'allow', 'again', 'receive', 'mistake'],
  scopes: ['suppressions:write'],
  idempotency: 'natural',
  input: { params: z.object({ email: z.string().min(1).max(254) }) },
  output: z.object({ email: z.string(), deleted: z.boolean() }),
  audit: {
    action: 'suppression.delete',
    // Only the domain: the audit contains no addresses.
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
