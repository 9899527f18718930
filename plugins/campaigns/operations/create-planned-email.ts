import { defineOperation, z } from '../../../core/index.ts';
import { checkTime, planFields, plannedEmail, present, someTime } from '../schema.ts';
import { plannedRows } from '../tables.ts';

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
    const row = await plannedRows.insert(ctx.trx, {
      id: ctx.newId('cam'),
      name,
      schedule_at: scheduleAt,
      timezone,
      description: description ?? null,
      status: 'planned',
      template_key: null,
      creation_id: null,
      created_at: ctx.now,
      updated_at: ctx.now,
    });
    return present(row);
  },
});
