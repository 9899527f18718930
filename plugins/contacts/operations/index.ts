import { deleteContact } from './delete-contact.ts';
import { exportContact } from './export-contact.ts';
import { importContacts } from './import-contacts.ts';
import { listContacts } from './list-contacts.ts';
import { readContact } from './read-contact.ts';
import { readImport } from './read-import.ts';
import { upsertContact } from './upsert-contact.ts';

export const operations = [
  listContacts,
  readContact,
  upsertContact,
  deleteContact,
  exportContact,
  importContacts,
  readImport,
] as const;
