// The social plugin: organic posts on the company accounts of networks.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { createSocialChannels, type SocialChannels } from './channels.ts';
import type { ConsoleEvents } from './console/events.ts';
import { consoleRoutes } from './console/routes.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { collectFiguresJob, collectFiguresSchedule } from './figures/collect.ts';
import { migration0001 } from './migrations/0001-social.ts';
import { refreshNetworksJob, refreshNetworksSchedule } from './networks/refresh-job.ts';
import { operations } from './operations/index.ts';
import { type SocialPluginOptions, type SocialRules, socialRules } from './options.ts';
import { personalData } from './personal-data.ts';
import { publishDue } from './publication/due.ts';
import { endTargetJob, publishTargetJob } from './publication/publish-job.ts';
import { simulatePublication } from './publication/simulate.ts';
import { endRemovalJob, removePost } from './removal/remove-job.ts';
import { retention, retentionSchedules } from './retention.ts';
import { scopes } from './scopes.ts';
import { createSocialService, type SocialService } from './service.ts';
import { postSurface } from './surface.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    social: CallsOf<typeof operations>;
  }
  interface Services {
    social: SocialService;
    socialChannels: SocialChannels;
    socialRules: SocialRules;
    /** Provided by the plugin of social events. */
    consoleSocialEvents?: ConsoleEvents;
  }
}

/**
 * Writes, checks and schedules organic posts, and publishes each at most once on the company accounts of networks.
 * @throws TypeError for an unknown or invalid option
 */
export function socialPlugin(options: SocialPluginOptions = {}) {
  checkOptions<SocialPluginOptions>('socialPlugin', options, {
    prices: 'optional',
    composers: 'optional',
    console: 'optional',
  });
  const rules = socialRules(options);
  return definePlugin({
    id: 'social',
    requires: ['connectors', 'assets', 'templates'],
    scopes,
    operations,
    toolOrders: [
      {
        job: 'A social post',
        tools: ['refresh_social_networks', 'list_social_networks', 'create_social_post', 'publish_social_post'],
        note: 'Refresh once, before the first post: that finds the accounts. Without publish and scheduleAt, create_social_post stores it only.',
      },
    ],
    publicRoutes: consoleRoutes(options.console),
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [
      publishTargetJob,
      endTargetJob,
      simulatePublication,
      publishDue,
      removePost,
      endRemovalJob,
      collectFiguresJob,
      refreshNetworksJob,
    ],
    schedules: [refreshNetworksSchedule, collectFiguresSchedule, ...retentionSchedules],
    retention,
    personalData,
    surfaces: [postSurface],
    services: {
      social: createSocialService,
      socialChannels: createSocialChannels,
      socialRules: () => rules,
    },
  });
}
