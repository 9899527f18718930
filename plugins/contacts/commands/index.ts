import { exportContacts } from './export-contacts.ts';
import { importContacts } from './import-contacts.ts';

export const commands = [importContacts, exportContacts];
