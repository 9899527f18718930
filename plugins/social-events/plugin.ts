// The plugin of transactional social posts: product events that become posts through templates.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { consolePages } from './console.ts';
import { errors } from './errors.ts';
import { migration0001 } from './migrations/0001-social-events.ts';
import { operations } from './operations/index.ts';
import { ownTemplates, type SocialEventsOptions } from './options.ts';
import { personalData } from './personal-data.ts';
import { retention, retentionSchedules } from './retention.ts';
import { tables } from './tables.ts';
import { createWordings, type Wordings } from './wordings.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    'social-events': CallsOf<typeof operations>;
  }
  interface Services {
    socialEventWordings: Wordings;
  }
}

/**
 * Turns product events, such as a release, into social posts.
 * @throws TypeError for an invalid template; `service.start()` also throws if a template uses a variable that the event's contract lacks
 */
export const socialEventsPlugin = (options: SocialEventsOptions = {}) => {
  checkOptions<SocialEventsOptions>('socialEventsPlugin', options, { templates: 'optional' });
  return definePlugin({
    id: 'social-events',
    searchWords: {
      event: ['automatic', 'milestone', 'announcement'],
      social: ['linkedin', 'facebook', 'instagram', 'tweet'],
    },
    requires: ['social', 'templates'],
    operations,
    console: consolePages,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    schedules: retentionSchedules,
    retention,
    personalData,
    services: { socialEventWordings: createWordings(ownTemplates(options)) },
    start: ({ services }) => void services.socialEventWordings,
  });
};
