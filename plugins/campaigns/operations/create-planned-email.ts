import { defineOperation, z } from '../../../core/index.ts';
import { checkTime, planFields, plannedEmail, present, someTime } from '../schema.ts';

export const createPlannedEmail = defineOperation({
  id: 'campaigns.planned',
  summary: 'Plan an email',
  description:
    'Keeps a date in the plan for a mail that people will write. It starts without a template, and nothing is ever sent from it.',
  http: 'POST /v1/campaigns/planned',
  tool: 'create_planned_email',
  scopes: ['campaigns:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: { body: z.object({ ...planFields, description: planFields.description.optional() }) },
  output: plannedEmail,
  status: 201,
  audit: { action: 'campaign.plan', target: ({ campaignId }) => ({ kind: 'campaign', id: campaignId }) },
  fixture: async (kit) => ({
    body: {
      name: kit.unique('Spring news'),
      scheduleAt: await someTime(kit),
      timezone: 'Europe/Berlin',
      description: 'The new chairs, and the open day.',
    },
  }),

  async handler(ctx, { body: { name, scheduleAt, timezone, description } }) {
    checkTime(ctx, scheduleAt);
    const planned = { name, scheduleAt, timezone, description: description ?? null };
    return present(await ctx.services.campaigns.plan(ctx, planned));
  },
});
