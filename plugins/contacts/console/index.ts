// The pages of contacts in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { contactPage } from './contact.ts';
import { contactList, findContacts } from './list.ts';

const ofContacts = { area: 'Audience', scopes: ['contacts:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofContacts, path: 'contacts', title: 'Contacts', render: contactList, find: findContacts },
  { ...ofContacts, path: 'contacts/{contactId}', title: 'Contact', render: contactPage },
];
