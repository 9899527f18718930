// The pages of contacts in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { contactPage } from './contact.ts';
import { importActions, importedPage, importPage } from './import.ts';
import { contactList, findContacts } from './list.ts';
import { eraseAction, exportPage } from './person-data.ts';

const ofContacts = { area: 'Audience', scopes: ['contacts:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofContacts, path: 'contacts', title: 'Contacts', render: contactList, find: findContacts },
  {
    ...ofContacts,
    path: 'contacts/{contactId}',
    title: 'Contact',
    render: contactPage,
    actions: { erase: eraseAction },
  },
  {
    area: 'Audience',
    path: 'contacts/{contactId}/export',
    title: 'Export',
    scopes: ['contacts:read', 'contacts:export'],
    render: exportPage,
  },
  {
    area: 'Audience',
    path: 'contacts/import',
    title: 'Import',
    scopes: ['contacts:read', 'contacts:write'],
    render: importPage,
    actions: importActions,
  },
  { ...ofContacts, path: 'contacts/imports/{importId}', title: 'Import', render: importedPage },
];
