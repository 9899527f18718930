import { coreErrors, defineOperation } from '../../../core/index.ts';
import { icpCreate, icpResource, presentIcp } from '../schema.ts';
import { lockIcps, maxIcps } from '../store.ts';
import { icpRows } from '../tables.ts';

export const createIcp = defineOperation({
  id: 'marketing.icp_create',
  summary: 'Create an ICP',
  description: 'An ideal customer profile. The first one is primary.',
  http: 'POST /v1/marketing/icps',
  tool: 'create_icp',
  scopes: ['marketing:write'],
  idempotency: 'replay',
  input: { body: icpCreate },
  output: icpResource,
  status: 201,
  liveOnly: true,
  errors: ['limit_reached'],
  audit: { action: 'marketing.icp.create', target: ({ icpId }) => ({ kind: 'icp', id: icpId }) },
  fixture: async (kit) => ({
    body: { name: kit.unique('Small agencies'), roles: ['Owner'] },
    errors: { limit_reached: 'unreachable here: shown in test/plugins/marketing.test.ts' },
  }),

  async handler(ctx, { body: { companySizes, isPrimary, ...body } }) {
    const { primary, demote } = await lockIcps(ctx);
    if ((await icpRows.count(ctx.trx, {}, maxIcps)) >= maxIcps)
      throw coreErrors.limit_reached({ limit: maxIcps, resources: 'ICPs' });
    if (isPrimary) await demote();
    const row = {
      id: ctx.newId('icp'),
      ...body,
      company_sizes: companySizes,
      is_primary: isPrimary || primary === undefined,
      created_at: ctx.now,
      updated_at: ctx.now,
    };
    return presentIcp(await icpRows.insert(ctx.trx, row));
  },
});
