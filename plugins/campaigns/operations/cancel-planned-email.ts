import { defineOperation, givenId, z } from '../../../core/index.ts';
import { plannedEmails } from '../planned-emails.ts';

const { rows, item, missing, present, some } = plannedEmails;

export const cancelPlannedEmail = defineOperation({
  id: 'campaigns.planned_cancel',
  summary: 'Cancel a planned email',
  description: 'For good. Canceling it again changes nothing.',
  http: 'POST /v1/campaigns/planned/{campaignId}/cancel',
  tool: { name: 'cancel_planned_email', destructive: true },
  scopes: ['campaigns:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: { params: z.object({ campaignId: givenId('cam') }) },
  output: item,
  errors: ['campaign_not_found'],
  audit: { action: 'campaign.cancel', target: ({ campaignId }) => ({ kind: 'campaign', id: campaignId }) },
  fixture: async (kit) => ({
    params: { campaignId: await some(kit, kit.workspaceId) },
    foreign: { campaignId: await some(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { campaignId: id } }) {
    const row = await rows.lock(ctx.trx, id);
    if (row === undefined) throw missing({ id });
    if (row.status === 'canceled') return present(row);
    return present(await rows.change(ctx.trx, row, { status: 'canceled', updated_at: ctx.now }));
  },
});
