// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { contactPage } from './contact.ts';
import { importActions, importedPage, importPage } from './import.ts';
import { contactList, findContacts } from './list.ts';
import { eraseAction, exportPage } from './person-data.ts';

export const contacts: ConsolePageContent = { render: contactList, find: findContacts };

export const contact: ConsolePageContent = { render: contactPage, actions: { erase: eraseAction } };

export const exported: ConsolePageContent = { render: exportPage };

export const importing: ConsolePageContent = { render: importPage, actions: importActions };

export const imported: ConsolePageContent = { render: importedPage };
