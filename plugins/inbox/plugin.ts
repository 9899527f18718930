// The inbox plugin: stores messages that stayed in the process and shows them in a browser.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { consoleLink, hiddenWithoutSignIn } from '../../core/unstable.ts';
import { createGate } from './access.ts';
import { errors } from './errors.ts';
import { migration0001 } from './migrations/0001-inbox.ts';
import type { InboxOptions } from './options.ts';
import { personalData } from './personal-data.ts';
import { createRoutes } from './routes/index.ts';
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
export const inboxPlugin = (options: InboxOptions = {}) => {
  checkOptions<InboxOptions>('inboxPlugin', options, {
    authorize: 'optional',
    privateNetworks: 'optional',
  });
  return definePlugin({
    id: 'inbox',
    requires: ['email', 'templates'],
    publicRoutes: createRoutes(createGate(options), hiddenWithoutSignIn(options)),
    console: consoleLink(options, {
      area: 'Messages',
      url: '/inbox',
      title: 'Inbox',
      scopes: ['sends:read'],
      takesLocation: true,
    }),
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    schedules,
    retention,
    personalData,
    services: { inbox: createInboxService(options) },
  });
};
