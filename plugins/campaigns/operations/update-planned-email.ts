import { coreErrors, defineOperation, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { campaignParams, checkTime, planFields, plannedEmail, present, somePlanned, someTemplate } from '../schema.ts';
import { plannedRows } from '../tables.ts';

export const updatePlannedEmail = defineOperation({
  id: 'campaigns.planned_update',
  summary: 'Change a planned email',
  description: 'What is left out stays. templateKey links the template that people wrote for it; null unlinks it.',
  http: 'PATCH /v1/campaigns/planned/{campaignId}',
  tool: 'update_planned_email',
  scopes: ['campaigns:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: {
    params: campaignParams,
    body: z.object({
      name: planFields.name.optional(),
      scheduleAt: planFields.scheduleAt.optional(),
      timezone: planFields.timezone.optional(),
      description: planFields.description.nullable().optional(),
      templateKey: z.string().min(1).max(80).nullable().optional(),
    }),
  },
  output: plannedEmail,
  errors: ['campaign_not_found', 'template_not_found', 'state_conflict'],
  audit: { action: 'campaign.update', target: ({ campaignId }) => ({ kind: 'campaign', id: campaignId }) },
  fixture: async (kit) => ({
    params: { campaignId: await somePlanned(kit, kit.workspaceId) },
    body: { name: 'Summer news', timezone: 'Europe/Vienna' },
    foreign: {
      params: { campaignId: await somePlanned(kit, kit.foreignWorkspaceId) },
      body: { templateKey: await someTemplate(kit, kit.foreignWorkspaceId) },
    },
    errors: {
      template_not_found: async () => ({ body: { templateKey: 'never-written' } }),
      state_conflict: async () => {
        const campaignId = await somePlanned(kit, kit.workspaceId);
        await kit.call('campaigns.planned_cancel', { campaignId });
        return { params: { campaignId } };
      },
    },
  }),

  async handler(ctx, { params: { campaignId: id }, body }) {
    const row = await plannedRows.lock(ctx.trx, id);
    if (row === undefined) throw errors.campaign_not_found({ id });
    if (row.status === 'canceled')
      throw coreErrors.state_conflict({ reason: `The planned email ${id} was canceled; plan another one.` });
    const { name, scheduleAt, timezone, description, templateKey } = body;
    checkTime(ctx, scheduleAt);
    if (typeof templateKey === 'string')
      await ctx.services.templates.resolve(ctx, templateKey, { drafts: true, viewOnly: true, workingCopy: true });
    const changed = await plannedRows.change(ctx.trx, row, {
      name: name ?? row.name,
      schedule_at: scheduleAt ?? row.schedule_at,
      timezone: timezone ?? row.timezone,
      description: description === undefined ? row.description : description,
      template_key: templateKey === undefined ? row.template_key : templateKey,
      updated_at: ctx.now,
    });
    return present(changed);
  },
});
