import { deleteContact } from './delete-contact.ts';
import { listContacts } from './list-contacts.ts';
import { readContact } from './read-contact.ts';
import { upsertContact } from './upsert-contact.ts';

export const operations = [listContacts, readContact, upsertContact, deleteContact] as const;
