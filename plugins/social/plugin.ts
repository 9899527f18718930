// The social plugin: organic posts on the company accounts of networks.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { movedToConsole } from '../../core/unstable.ts';
import { createSocialChannels, type SocialChannels } from './channels.ts';
import { consolePages, pageOfQuery } from './console/index.ts';
import { socialPostContentKind } from './content-kind.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { collectMetricsJob, collectMetricsSchedule } from './metrics/collect.ts';
import { migration0001 } from './migrations/0001-social.ts';
import { refreshNetworksJob, refreshNetworksSchedule } from './networks/refresh-job.ts';
import { operations } from './operations/index.ts';
import { type SocialPluginOptions, type SocialRules, socialRules } from './options.ts';
import { personalData } from './personal-data.ts';
import { publishDue } from './publication/due.ts';
import { publishTargetJob, recordAbandonedTargetJob } from './publication/publish-job.ts';
import { simulatePublication } from './publication/simulate.ts';
import { recordAbandonedRemovalJob, removePost } from './removal/remove-job.ts';
import { retention, retentionSchedules } from './retention.ts';
import { scopes } from './scopes.ts';
import { createSocialService, type SocialService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    social: CallsOf<typeof operations>;
  }
  interface Services {
    social: SocialService;
    socialChannels: SocialChannels;
    socialRules: SocialRules;
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
  });
  const rules = socialRules(options);
  return definePlugin({
    id: 'social',
    searchWords: {
      social: ['linkedin', 'facebook', 'instagram', 'tweet', 'twitter', 'x', 'bluesky', 'mastodon', 'threads', 'feed'],
      post: ['linkedin', 'facebook', 'instagram', 'tweet', 'twitter'],
      figures: ['likes', 'reach', 'impressions', 'performance', 'engagement', 'comments', 'views', 'statistics'],
      networks: ['accounts', 'channels', 'profiles', 'linkedin', 'facebook', 'instagram', 'twitter'],
      schedule_social: ['tomorrow', 'tonight', 'date', 'later'],
    },
    requires: ['connectors', 'assets', 'templates'],
    scopes,
    operations,
    toolWorkflows: [
      {
        task: 'A social post',
        tools: ['refresh_social_networks', 'list_social_networks', 'create_social_post', 'publish_social_post'],
        note: 'Refresh once, before the first post: that finds the accounts. Without publish or scheduleAt, create_social_post only stores the post.',
      },
    ],
    publicRoutes: [movedToConsole('/social-console', pageOfQuery)],
    console: consolePages,
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [
      publishTargetJob,
      recordAbandonedTargetJob,
      simulatePublication,
      publishDue,
      removePost,
      recordAbandonedRemovalJob,
      collectMetricsJob,
      refreshNetworksJob,
    ],
    schedules: [refreshNetworksSchedule, collectMetricsSchedule, ...retentionSchedules],
    retention,
    personalData,
    contentKinds: [socialPostContentKind],
    services: {
      social: createSocialService,
      socialChannels: createSocialChannels,
      socialRules: () => rules,
    },
  });
}
