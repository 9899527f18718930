import { coreErrors, defineCreate, defineRead, defineUpdate, type FixtureKit } from '../../../core/index.ts';
import { notifyPlanChanged } from '../plan-changes.ts';
import { checkTime, plannedEmails } from '../planned-emails.ts';

/** The key of a template of the workspace. */
async function someTemplate(kit: FixtureKit, workspaceId: string): Promise<string> {
  const key = kit.unique('template').toLowerCase();
  await kit.call('templates.create', { key, mode: 'html', subject: 'Hello', body: '<p>Hello</p>' }, workspaceId);
  return key;
}

export const createPlannedEmail = defineCreate({
  resource: plannedEmails,
  id: 'campaigns.planned',
  summary: 'Plan an email',
  description:
    'Keeps a date in the plan for a mail that people will write. It has no template and sends nothing: make a broadcast of it when the mail is written.',
  http: 'POST /v1/campaigns/planned',
  tool: 'create_planned_email',
  liveOnly: true,
  audit: { action: 'campaign.plan', kind: 'campaign' },
  before: async (ctx, { scheduleAt }) => checkTime(ctx, scheduleAt),
});

export const readPlannedEmail = defineRead({
  resource: plannedEmails,
  id: 'campaigns.planned_read',
  summary: 'Read a planned email',
  description:
    'Returns its name, date, time zone and state, the template that it is planned for, and the broadcast that was made of it.',
  http: 'GET /v1/campaigns/planned/{campaignId}',
  tool: 'read_planned_email',
});

export const updatePlannedEmail = defineUpdate({
  resource: plannedEmails,
  id: 'campaigns.planned_update',
  summary: 'Change a planned email',
  description:
    'Fields that are left out stay unchanged. templateKey links the template that people wrote for it; null unlinks it. A draft of a broadcast that was made of it gets the same name, date, time zone and template, which needs broadcasts:write; once the broadcast is scheduled, only the description changes.',
  http: 'PATCH /v1/campaigns/planned/{campaignId}',
  tool: 'update_planned_email',
  liveOnly: true,
  errors: ['template_not_found', 'state_conflict'],
  emits: ['approval.decided'],
  body: async () => ({ name: 'Summer news', timezone: 'Europe/Vienna' }),
  foreign: async (kit) => ({ templateKey: await someTemplate(kit, kit.foreignWorkspaceId) }),
  errorCases: {
    template_not_found: async () => ({ body: { templateKey: 'never-written' } }),
    state_conflict: async (kit) => {
      const campaignId = await plannedEmails.createExample(kit, kit.workspaceId);
      await kit.call('campaigns.planned_cancel', { campaignId });
      return { params: { campaignId } };
    },
  },

  async before(ctx, { id, status }, { scheduleAt, templateKey }) {
    if (status === 'canceled')
      throw coreErrors.state_conflict({ reason: `The planned email ${id} was canceled; plan another one.` });
    checkTime(ctx, scheduleAt);
    if (typeof templateKey === 'string')
      await ctx.services.templates.resolve(ctx, templateKey, { drafts: true, viewOnly: true, workingCopy: true });
  },
  after: notifyPlanChanged,
});
