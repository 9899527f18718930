// Contacts: the people that a workspace writes to, with their names, attributes and timelines.
import './events.ts';

export type { ContactSource, ContactsPluginOptions, SourceChanges, SourceContact } from './options.ts';
export { contactsPlugin } from './plugin.ts';
export type { Contact } from './schema.ts';
export type { ContactNames, ContactReference, ContactsService, KnownContact, ResolvedContact } from './service.ts';
