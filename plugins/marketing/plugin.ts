// The marketing plugin.
import { type CallsOf, definePlugin, defineScopes, errorDefinitions } from '../../core/index.ts';
import { createCalendarFacts } from './calendar-facts.ts';
import { errors } from './errors.ts';
import { operations } from './operations/index.ts';
import { createListReferences, createMarketingService, type MarketingService } from './service.ts';
import { migration0001, tables } from './tables.ts';

const scopes = defineScopes([
  {
    scope: 'marketing:read',
    description:
      'See the marketing strategy, the ideal customer profiles, the creation defaults and the marketing calendar.',
    presets: ['read', 'author'],
  },
  {
    scope: 'marketing:write',
    description:
      'Change the marketing strategy, the ideal customer profiles, the creation defaults and the marketing calendar.',
    presets: ['author'],
  },
]);

declare module '../../core/contract/open.ts' {
  interface Api {
    marketing: CallsOf<typeof operations>;
  }
  interface Services {
    marketing: MarketingService;
  }
}

/** The marketing strategy, the ideal customer profiles, the defaults of new campaigns, and the marketing calendar. */
export const marketingPlugin = () =>
  definePlugin({
    id: 'marketing',
    searchWords: {
      strategy: ['positioning', 'goals', 'tone', 'pillars', 'plan'],
      calendar: [
        'quiet',
        'hours',
        'night',
        'weekend',
        'frequency',
        'cap',
        'often',
        'holiday',
        'christmas',
        'sunday',
        'evening',
        'pause',
        'blackout',
        'hour',
        'avoid',
        'sending',
        'most',
        'times',
        'person',
        'marketing',
        'mail',
        'limit',
        'never',
      ],
      deliverability: [
        'why',
        'reach',
        'allowed',
        'may',
        'receive',
        'get',
        'arrived',
        'nothing',
        'eligible',
        'blocked',
        'marketing',
      ],
      icp: ['buyer', 'persona', 'audience', 'target', 'ideal', 'customer'],
      creation_defaults: [
        'standard',
        'preset',
        'initial',
        'settings',
        'channels',
        'language',
        'default',
        'posts',
        'new',
      ],
    },
    requires: ['brand', 'contacts', 'email', 'lists', 'suppressions', 'templates'],
    scopes,
    operations,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    services: { marketing: createMarketingService },
    contributes: { 'lists.references': createListReferences, 'email.marketing_facts': createCalendarFacts },
  });
