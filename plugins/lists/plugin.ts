// The lists plugin.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { contactLists } from './contact-lists.ts';
import { createListsService } from './create-service.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { removeList } from './jobs/remove-list.ts';
import { removeUnconfirmed } from './jobs/remove-unconfirmed.ts';
import { sendFormConfirmation } from './jobs/send-form-confirmation.ts';
import { sendMemberConfirmations } from './jobs/send-member-confirmations.ts';
import { migration0001 } from './migrations/0001-lists.ts';
import { operations } from './operations/index.ts';
import { personalData } from './personal-data.ts';
import { createMailPreferences } from './preferences.ts';
import { confirmRoutes } from './routes/confirm.ts';
import { preferencesRoutes } from './routes/preferences.ts';
import { subscribeRoutes } from './routes/subscribe.ts';
import { retention, schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { tables } from './tables.ts';
import { type ListsPluginOptions, listTexts } from './texts.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    lists: CallsOf<typeof operations>;
  }
}

/** Contact lists, their members and their public pages. */
export const listsPlugin = (options: ListsPluginOptions = {}) => {
  checkOptions<ListsPluginOptions>('listsPlugin', options, { texts: 'optional' });
  const languages = listTexts(options.texts);
  return definePlugin({
    id: 'lists',
    searchWords: {
      list: ['newsletter', 'audience', 'segment', 'group', 'subscribers', 'waitlist', 'parents', 'volunteers', 'crowd'],
      members: ['import', 'addresses'],
      member: ['people', 'subscribers', 'customers'],
    },
    requires: ['contacts', 'suppressions', 'email'],
    scopes,
    operations,
    console: consolePages,
    toolWorkflows: [
      {
        task: 'People on a list',
        tools: ['upsert_contact', 'create_list', 'add_list_members'],
        note: 'Members are named by the ids of contacts.',
      },
    ],
    publicRoutes: [...subscribeRoutes(languages), ...confirmRoutes(languages), ...preferencesRoutes(languages)],
    events,
    errors: errorDefinitions(errors),
    tables: { lists: contactLists.table, ...tables },
    migrations: [migration0001],
    jobs: [sendMemberConfirmations(languages), sendFormConfirmation(languages), removeUnconfirmed, removeList],
    schedules,
    retention,
    personalData,
    extensionPoints: ['lists.references', 'lists.confirmations'],
    services: { lists: createListsService(languages), mailPreferences: createMailPreferences(languages) },
  });
};
