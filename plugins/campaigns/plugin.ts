// The campaigns plugin: planned emails. Campaigns of several channels, made from a brief, are another plugin's.
import { type CallsOf, definePlugin, errorDefinitions } from '../../core/index.ts';
import { errors } from './errors.ts';
import { migration0001 } from './migrations/0001-campaigns.ts';
import { operations } from './operations/index.ts';
import { plannedEmails } from './planned-emails.ts';
import { scopes } from './scopes.ts';
import { type CampaignsService, createCampaignsService } from './service.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    campaigns: CallsOf<typeof operations>;
  }
  interface Services {
    campaigns: CampaignsService;
  }
}

/** Dates in the plan for mails that people will write. Nothing is sent from them. */
export const campaignsPlugin = () =>
  definePlugin({
    id: 'campaigns',
    requires: ['templates'],
    scopes,
    operations,
    errors: errorDefinitions(errors),
    tables: { planned_emails: plannedEmails.table },
    migrations: [migration0001],
    services: { campaigns: createCampaignsService },
  });
