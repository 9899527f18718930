// Contacts: the people that a workspace writes to, with their names, attributes and timelines.
import './events.ts';

export type { ContactFilters } from './filters.ts';
export type { ImportListener } from './imports/listeners.ts';
export type { ContactSource, ContactsPluginOptions, SourceChanges, SourceContact } from './options.ts';
export { contactsPlugin } from './plugin.ts';
export type { Contact } from './schema.ts';
export type { ContactNames, ContactReference, ContactsService, KnownContact, ResolvedContact } from './service.ts';
export type { ContactEventRow } from './tables.ts';
