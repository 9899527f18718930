// The inbox plugin: stores messages that stayed in the process and shows them in a browser.
import { type CallsOf, definePlugin, errorDefinitions } from '../../core/index.ts';
import { hiddenWithoutAccess } from '../../core/unstable.ts';
import { readScope } from './access.ts';
import { errors } from './errors.ts';
import { migration0001 } from './migrations/0001-inbox.ts';
import { personalData } from './personal-data.ts';
import { routes } from './routes/index.ts';
import { retention, schedules } from './schedules.ts';
import { createInboxService, type InboxService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    inbox: CallsOf<readonly []>;
  }
  interface Services {
    inbox?: InboxService;
  }
}

/** The development inbox at /inbox: sandbox sends, test sends, and live sends if the mail adapter captures. */
export const inboxPlugin = () =>
  definePlugin({
    id: 'inbox',
    requires: ['email', 'templates'],
    publicRoutes: routes,
    console: [
      {
        area: 'Messages',
        url: '/inbox',
        title: 'Inbox',
        scopes: [readScope],
        takesLocation: true,
        hidden: hiddenWithoutAccess,
      },
    ],
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    schedules,
    retention,
    personalData,
    services: { inbox: createInboxService },
  });
