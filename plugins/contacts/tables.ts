import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  timestamps,
} from '../../core/index.ts';
import type { Contact } from './schema.ts';
import type { AttributeTimes } from './search-columns.ts';

export const contacts = defineTable(
  'contacts',
  {
    id: column.id('con'),
    /** The caller's own id of the person. Unique on a side of a workspace. */
    external_id: column.key().nullable(),
    /** The normalised address. Unique on a side of a workspace. */
    email: column.address().nullable(),
    /** The address as the caller wrote it. Mail is sent to it. */
    address_as_given: column.text().nullable(),
    attributes: column.json<Contact['attributes']>(),
    /** Computed from the other columns for statements that look for contacts: see search-columns.ts. */
    attribute_times: column.json<AttributeTimes>().nullable(),
    email_pseudonym: column.address().nullable(),
    ...timestamps,
  },
  {
    sides: true,
    personal: {
      columns: { email: 'address', address_as_given: 'raw_address', attributes: 'text', attribute_times: 'text' },
      rows: 'plugin',
    },
  },
);

/** Custom events on the timelines of contacts, clustered by contact and time. */
export const contactEvents = defineTable(
  'contact_events',
  {
    /** `evt_…`, the id of the event. */
    id: column.id('evt'),
    contact_id: column.id('con'),
    type: column.key(),
    ts: column.time(),
    metadata: column.json<Readonly<Record<string, unknown>>>(),
  },
  { sides: true, personal: { columns: { contact_id: 'person', metadata: 'text' }, rows: 'plugin' } },
);

/** The first time, the last time and the number of the events of each contact and type. Kept as long as the contact. */
export const contactActivity = defineTable(
  'contact_activity',
  {
    contact_id: column.id('con'),
    type: column.key(),
    first_at: column.time(),
    last_at: column.time(),
    count: column.integer(),
  },
  // A contact has one row for each type.
  { sides: true, key: 'contact_id', personal: { columns: { contact_id: 'person' }, rows: 'remove' } },
);

/** Former addresses, each with the last contact that had it. Erasing that contact also erases the sends to these addresses. */
export const formerAddresses = defineTable(
  'contact_former_addresses',
  { email: column.address(), contact_id: column.id('con') },
  { sides: true, key: 'email', personal: { columns: { email: 'address', contact_id: 'person' }, rows: 'remove' } },
);

/** The cursor into the program's source of contacts, one row for each workspace. */
export const contactSources = defineTable(
  'contact_sources',
  { source_cursor: column.text(), updated_at: column.time() },
  { key: 'source_cursor' },
);

export interface ContactRow extends RowOf<typeof contacts> {}
export interface ContactActivityRow extends RowOf<typeof contactActivity> {}
export interface ContactEventRow extends RowOf<typeof contactEvents> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    contacts: StoredRow<typeof contacts>;
    contact_events: StoredRow<typeof contactEvents>;
    contact_activity: StoredRow<typeof contactActivity>;
    contact_former_addresses: StoredRow<typeof formerAddresses>;
    contact_sources: StoredRow<typeof contactSources>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  contacts,
  contact_events: contactEvents,
  contact_activity: contactActivity,
  contact_former_addresses: formerAddresses,
  contact_sources: contactSources,
};
