// The plugin of transactional socials: facts of the product that become posts by templates.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { createConsoleEvents } from './console-events.ts';
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
 * Facts of the product, such as a release, that become social posts.
 * @throws TypeError for a template that is none; `service.start()` also for one that its event's contract does not cover
 */
export const socialEventsPlugin = (options: SocialEventsOptions = {}) => {
  checkOptions<SocialEventsOptions>('socialEventsPlugin', options, { templates: 'optional' });
  return definePlugin({
    id: 'social-events',
    requires: ['social', 'templates'],
    operations,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    schedules: retentionSchedules,
    retention,
    personalData,
    services: { socialEventWordings: createWordings(ownTemplates(options)), consoleSocialEvents: createConsoleEvents },
    start: ({ services }) => void services.socialEventWordings,
  });
};
