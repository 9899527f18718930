import { coreErrors, defineOperation, givenId, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { icpResource, icpUpdate, presentIcp, someIcp } from '../schema.ts';
import { lockIcps } from '../store.ts';
import { icpRows } from '../tables.ts';

export const updateIcp = defineOperation({
  id: 'marketing.icp_update',
  summary: 'Change an ICP',
  description: 'What is left out stays as it is. isPrimary true makes it the primary one in place of the other.',
  http: 'PATCH /v1/marketing/icps/{icpId}',
  tool: 'update_icp',
  scopes: ['marketing:write'],
  idempotency: 'replay',
  input: { params: z.object({ icpId: givenId('icp') }), body: icpUpdate },
  output: icpResource,
  liveOnly: true,
  errors: ['icp_not_found', 'state_conflict'],
  audit: { action: 'marketing.icp.update', target: ({ icpId }) => ({ kind: 'icp', id: icpId }) },
  fixture: async (kit) => ({
    params: { icpId: await someIcp(kit, kit.workspaceId) },
    body: { pains: ['Invoices take hours'] },
    foreign: { icpId: await someIcp(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async () => {
        const { icpId } = await kit.call('marketing.icp_create', { name: kit.unique('First'), isPrimary: true });
        return { params: { icpId: String(icpId) }, body: { isPrimary: false } };
      },
    },
  }),

  async handler(ctx, { params: { icpId }, body: { companySizes, isPrimary, ...body } }) {
    const { primary, demote } = await lockIcps(ctx);
    const row = await icpRows.lock(ctx.trx, icpId);
    if (row === undefined) throw errors.icp_not_found({ id: icpId });
    if (primary?.id === icpId && isPrimary === false)
      throw coreErrors.state_conflict({ reason: 'One ICP is always primary: give isPrimary true to another one.' });
    if (isPrimary && primary?.id !== icpId) await demote();
    const changes = { ...body, company_sizes: companySizes, is_primary: isPrimary, updated_at: ctx.now };
    return presentIcp(await icpRows.change(ctx.trx, row, changes));
  },
});
