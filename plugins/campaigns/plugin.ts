// The campaigns plugin: planned emails. Campaigns with several channels, made from a brief, are in another plugin.
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

/** Planned dates for mails that people will write. The plugin sends no mail: a broadcast that is made from a planned email sends it. */
export const campaignsPlugin = () =>
  definePlugin({
    id: 'campaigns',
    searchWords: {
      plan: [
        'newsletter',
        'mailing',
        'broadcast',
        'announcement',
        'campaign',
        'date',
        'marketing',
        'sale',
        'christmas',
        'subscribers',
        'offer',
        'promotion',
        'black',
        'friday',
      ],
    },
    requires: ['templates'],
    scopes,
    operations,
    errors: errorDefinitions(errors),
    tables: { planned_emails: plannedEmails.table },
    migrations: [migration0001],
    services: { campaigns: createCampaignsService },
    extensionPoints: ['campaigns.plan_changes'],
  });
