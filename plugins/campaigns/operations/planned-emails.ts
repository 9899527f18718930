import { coreErrors, defineCreate, defineRead, defineUpdate, type FixtureKit } from '../../../core/index.ts';
import { checkTime, plannedEmails } from '../planned-emails.ts';

/** The key of a template of the workspace. */
async function someTemplate(kit: FixtureKit, workspaceId: string): Promise<string> {
  const key = kit.unique('template').toLowerCase();
  await kit.call('templates.create', { key, mode: 'html', subject: 'Hello', body: '<p>Hello</p>' }, workspaceId);
  return key;
}

export const createPlannedEmail = defineCreate({
  of: plannedEmails,
  id: 'campaigns.planned',
  summary: 'Plan an email',
  description:
    'Keeps a date in the plan for a mail that people will write. It starts without a template, and nothing is ever sent from it.',
  http: 'POST /v1/campaigns/planned',
  tool: 'create_planned_email',
  liveOnly: true,
  audit: { action: 'campaign.plan', kind: 'campaign' },
  before: async (ctx, { scheduleAt }) => checkTime(ctx, scheduleAt),
});

export const readPlannedEmail = defineRead({
  of: plannedEmails,
  id: 'campaigns.planned_read',
  summary: 'Read a planned email',
  description: 'Answers its name, date, time zone and state, and the template that it is planned for.',
  http: 'GET /v1/campaigns/planned/{campaignId}',
  tool: 'read_planned_email',
});

export const updatePlannedEmail = defineUpdate({
  of: plannedEmails,
  id: 'campaigns.planned_update',
  summary: 'Change a planned email',
  description: 'What is left out stays. templateKey links the template that people wrote for it; null unlinks it.',
  http: 'PATCH /v1/campaigns/planned/{campaignId}',
  tool: 'update_planned_email',
  liveOnly: true,
  errors: ['template_not_found', 'state_conflict'],
  body: async () => ({ name: 'Summer news', timezone: 'Europe/Vienna' }),
  foreign: async (kit) => ({ templateKey: await someTemplate(kit, kit.foreignWorkspaceId) }),
  provocations: {
    template_not_found: async () => ({ body: { templateKey: 'never-written' } }),
    state_conflict: async (kit) => {
      const campaignId = await plannedEmails.some(kit, kit.workspaceId);
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
});
