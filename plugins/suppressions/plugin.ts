// The suppressions plugin.
import { type CallsOf, definePlugin, z } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { events } from './events.ts';
import { migration0001 } from './migrations/0001-suppressions.ts';
import { operations } from './operations/index.ts';
import { personalData } from './personal-data.ts';
import { expireSuppressions } from './schedules.ts';
import { scopes } from './scopes.ts';
import { createSuppressionsService, type SuppressionsService } from './service.ts';
import { suppressions } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    suppressions: CallsOf<typeof operations>;
  }
  interface WorkspaceSettings {
    /**
     * The mail that an unsubscribe stops: all mail including system mail, or only marketing. (Default: after a marketing mail,
     * marketing; after any other mail, all mail except system mail)
     */
    readonly unsubscribeScope?: 'all' | 'marketing';
  }
  interface Services {
    suppressions: SuppressionsService;
  }
}

/** The workspace's list of addresses that do not get mail. */
export const suppressionsPlugin = () =>
  definePlugin({
    id: 'suppressions',
    searchWords: {
      suppress: [
        'more',
        'longer',
        'unsubscribed',
        'unsubscribe',
        'optout',
        'bounced',
        'complained',
        'complaint',
        'spam',
        'blocked',
        'blocklist',
        'blacklist',
        'stop',
        'mailing',
        'never',
        'angry',
      ],
    },
    scopes,
    operations,
    console: consolePages,
    events,
    tables: { suppressions },
    migrations: [migration0001],
    schedules: [expireSuppressions],
    personalData,
    workspaceSettings: { unsubscribeScope: z.enum(['all', 'marketing']).optional() },
    services: { suppressions: createSuppressionsService },
  });
