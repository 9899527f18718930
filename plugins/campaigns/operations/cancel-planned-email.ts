import { defineOperation } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { campaignParams, plannedEmail, present, somePlanned } from '../schema.ts';
import { plannedRows } from '../tables.ts';

export const cancelPlannedEmail = defineOperation({
  id: 'campaigns.planned_cancel',
  summary: 'Cancel a planned email',
  description: 'For good. Canceling it again changes nothing.',
  http: 'POST /v1/campaigns/planned/{campaignId}/cancel',
  tool: { name: 'cancel_planned_email', destructive: true },
  scopes: ['campaigns:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: { params: campaignParams },
  output: plannedEmail,
  errors: ['campaign_not_found'],
  audit: { action: 'campaign.cancel', target: ({ campaignId }) => ({ kind: 'campaign', id: campaignId }) },
  fixture: async (kit) => ({
    params: { campaignId: await somePlanned(kit, kit.workspaceId) },
    foreign: { campaignId: await somePlanned(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { campaignId: id } }) {
    const row = await plannedRows.lock(ctx.trx, id);
    if (row === undefined) throw errors.campaign_not_found({ id });
    if (row.status === 'canceled') return present(row);
    return present(await plannedRows.change(ctx.trx, row, { status: 'canceled', updated_at: ctx.now }));
  },
});
