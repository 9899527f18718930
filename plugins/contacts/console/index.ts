// The pages of contacts in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofContacts = { area: 'Audience', scopes: ['contacts:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofContacts, path: 'contacts', title: 'Contacts', load: async () => (await pages()).contacts },
  { ...ofContacts, path: 'contacts/{contactId}', title: 'Contact', load: async () => (await pages()).contact },
  {
    area: 'Audience',
    path: 'contacts/{contactId}/export',
    title: 'Export',
    scopes: ['contacts:read', 'contacts:export'],
    load: async () => (await pages()).exported,
  },
  {
    area: 'Audience',
    path: 'contacts/import',
    title: 'Import',
    scopes: ['contacts:read', 'contacts:write'],
    load: async () => (await pages()).importing,
  },
  { ...ofContacts, path: 'contacts/imports/{importId}', title: 'Import', load: async () => (await pages()).imported },
];
