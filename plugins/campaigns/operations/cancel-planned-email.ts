import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { notifyPlanCanceled } from '../plan-changes.ts';
import { lockPlan, plannedEmails } from '../planned-emails.ts';

const { rows, item, present, createExample } = plannedEmails;

export const cancelPlannedEmail = defineOperation({
  id: 'campaigns.planned_cancel',
  summary: 'Cancel a planned email',
  description:
    'Cancels the planned email permanently. Canceling it again changes nothing. A draft of a broadcast that was made of it is deleted, which needs broadcasts:write; a broadcast that is scheduled must be canceled first.',
  http: 'POST /v1/campaigns/planned/{campaignId}/cancel',
  tool: { name: 'cancel_planned_email', destructive: true },
  scopes: ['campaigns:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: { params: z.object({ campaignId: idParameter('cam') }) },
  output: item,
  errors: ['campaign_not_found', 'state_conflict'],
  emits: ['approval.decided'],
  audit: { action: 'campaign.cancel', target: ({ campaignId }) => ({ kind: 'campaign', id: campaignId }) },
  fixture: async (kit) => ({
    params: { campaignId: await createExample(kit, kit.workspaceId) },
    foreign: { campaignId: await createExample(kit, kit.foreignWorkspaceId) },
    errors: { state_conflict: 'unreachable here: shown in test/plugins/planned-broadcasts.test.ts' },
  }),

  async handler(ctx, { params: { campaignId: id } }) {
    const row = await lockPlan(ctx.trx, id);
    if (row.status === 'canceled') return present(row);
    await notifyPlanCanceled(ctx, row);
    // Locked again, because a plugin that was notified may have changed the row.
    const lockedPlan = await lockPlan(ctx.trx, id);
    return present(await rows.change(ctx.trx, lockedPlan, { status: 'canceled', updated_at: ctx.now }));
  },
});
