// The contacts plugin.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { commands } from './commands/index.ts';
import { consolePages } from './console/index.ts';
import { overviewPart } from './console/overview.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { importJob } from './imports/run-import.ts';
import { contactImportParts, contactImports } from './imports/tables.ts';
import { eraseContactJob } from './jobs/erase-contact.ts';
import { fillContact } from './jobs/fill-contact.ts';
import { pullChanges, pullSchedule } from './jobs/pull-changes.ts';
import { migration0001 } from './migrations/0001-contacts.ts';
import { operations } from './operations/index.ts';
import type { ContactsPluginOptions } from './options.ts';
import { personalData } from './personal-data.ts';
import { expireEvents, expireImports, retention } from './schedules.ts';
import { scopes } from './scopes.ts';
import { type ContactsService, createContactsService } from './service.ts';
import type { ContactSourceService } from './source.ts';
import { tables } from './tables.ts';
import { eventTimeline } from './timeline.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    contacts: CallsOf<typeof operations>;
  }
  interface Services {
    contacts: ContactsService;
    contactSource?: ContactSourceService;
  }
}

const day = 86_400_000;

/** The parts that a configured source adds: the jobs that read new and changed contacts. */
function withSource({ source, sourceTimeoutMs = 10_000, pullEveryMs = 300_000 }: ContactsPluginOptions) {
  if (source === undefined) return { jobs: [], schedules: [], services: {} };
  const service: ContactSourceService = { source, timeoutMs: sourceTimeoutMs };
  const services = { contactSource: () => service };
  if (source.changes === undefined) return { jobs: [fillContact], schedules: [], services };
  return {
    jobs: [fillContact, pullChanges],
    schedules: [pullSchedule(Math.min(pullEveryMs, day))],
    services,
  };
}

/** The people that a workspace writes to, with their timelines. */
export const contactsPlugin = (options: ContactsPluginOptions = {}) => {
  checkOptions<ContactsPluginOptions>('contactsPlugin', options, {
    source: 'optional',
    sourceTimeoutMs: 'optional',
    pullEveryMs: 'optional',
  });

  const sourceParts = withSource(options);
  return definePlugin({
    id: 'contacts',
    searchWords: {
      contact: ['person', 'people', 'customer', 'subscriber', 'recipient', 'user', 'profile', 'phone', 'name'],
      contact_import: ['upload', 'progress', 'done', 'finished', 'file', 'csv', 'address'],
      upsert_contact: ['moved', 'new', 'change'],
    },
    requires: ['suppressions'],
    scopes,
    operations,
    events,
    errors: errorDefinitions(errors),
    tables: { ...tables, contact_imports: contactImports, contact_import_parts: contactImportParts },
    migrations: [migration0001],
    jobs: [eraseContactJob, importJob, ...sourceParts.jobs],
    schedules: [expireEvents, expireImports, ...sourceParts.schedules],
    retention,
    extensionPoints: ['contacts.imports'],
    personalData,
    timeline: [eventTimeline],
    console: consolePages,
    contributes: { 'console.overview': () => overviewPart },
    commands,
    services: { contacts: createContactsService, ...sourceParts.services },
  });
};
