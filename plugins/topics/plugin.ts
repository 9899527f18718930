// The topics plugin.
import { type CallsOf, definePlugin, errorDefinitions } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { removePreferences } from './jobs/remove-preferences.ts';
import { createTopicFacts } from './mail-facts.ts';
import { migration0001 } from './migrations/0001-topics.ts';
import { operations } from './operations/index.ts';
import { personalData } from './personal-data.ts';
import { scopes } from './scopes.ts';
import { createTopicsService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    topics: CallsOf<typeof operations>;
  }
}

/** Topics of marketing mail, and which of them an address wants. */
export const topicsPlugin = () =>
  definePlugin({
    id: 'topics',
    searchWords: {
      topic: ['newsletter', 'category', 'kind', 'subscription', 'optout', 'choose'],
      preferences: [
        'subscriptions',
        'opt-out',
        'unsubscribe',
        'consent',
        'subscribed',
        'interested',
        'offers',
        'promotions',
        'only',
        'choose',
      ],
      set_preferences: ['wants', 'news', 'frequency', 'hear', 'about', 'only'],
    },
    requires: ['contacts', 'email'],
    scopes,
    operations,
    console: consolePages,
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [removePreferences],
    personalData,
    extensionPoints: ['topics.references'],
    services: { topics: createTopicsService },
    contributes: { 'email.marketing_facts': createTopicFacts },
  });
