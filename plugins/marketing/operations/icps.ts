import { coreErrors, defineCreate, defineList, defineRead, defineUpdate } from '../../../core/index.ts';
import { icps } from '../icps.ts';
import { lockIcps, maxIcps } from '../store.ts';

export const listIcps = defineList({
  resource: icps,
  id: 'marketing.icps',
  summary: 'List the ICPs',
  description: 'The ideal customer profiles: whom the marketing is for. Newest first.',
  http: 'GET /v1/marketing/icps',
  tool: 'list_icps',
});

export const readIcp = defineRead({
  resource: icps,
  id: 'marketing.icp_read',
  summary: 'Read an ICP',
  description: 'One ideal customer profile with all its fields; list_icps has the ids.',
  http: 'GET /v1/marketing/icps/{icpId}',
  tool: 'read_icp',
});

export const createIcp = defineCreate({
  resource: icps,
  id: 'marketing.icp_create',
  summary: 'Create an ICP',
  description: 'An ideal customer profile. The first one is primary.',
  http: 'POST /v1/marketing/icps',
  tool: 'create_icp',
  liveOnly: true,
  limit: { max: maxIcps, resources: 'ICPs' },
  errorCases: { limit_reached: 'unreachable here: shown in test/plugins/marketing.test.ts' },

  async before(ctx, { isPrimary }) {
    const { primary, demote } = await lockIcps(ctx);
    if (isPrimary) await demote();
    return { is_primary: isPrimary || primary === undefined };
  },
});

export const updateIcp = defineUpdate({
  resource: icps,
  id: 'marketing.icp_update',
  summary: 'Change an ICP',
  description:
    'Fields that are left out stay unchanged. isPrimary: true makes it the primary profile instead of the current one.',
  http: 'PATCH /v1/marketing/icps/{icpId}',
  tool: 'update_icp',
  liveOnly: true,
  errors: ['state_conflict'],
  body: async () => ({ pains: ['Invoices take hours'] }),
  errorCases: {
    state_conflict: async (kit) => {
      const { icpId } = await kit.call('marketing.icp_create', { name: kit.unique('First'), isPrimary: true });
      return { params: { icpId: String(icpId) }, body: { isPrimary: false } };
    },
  },

  async before(ctx, row, { isPrimary }) {
    const { primary, demote } = await lockIcps(ctx);
    if (primary?.id === row.id && isPrimary === false)
      throw coreErrors.state_conflict({
        reason: 'One ICP is always primary. Set isPrimary to true on another ICP instead.',
      });
    if (isPrimary && primary?.id !== row.id) await demote();
  },
});
