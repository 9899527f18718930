import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-contacts',
  changes: [
    {
      create: 'contacts',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        external_id: 'key?',
        email: 'address?',
        address_as_given: 'text?',
        attributes: 'json',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    {
      index: 'contacts_external_id',
      on: 'contacts',
      columns: ['workspace_id', 'sandbox', 'external_id'],
      unique: true,
    },
    { index: 'contacts_email', on: 'contacts', columns: ['workspace_id', 'sandbox', 'email'], unique: true },
    { index: 'contacts_list', on: 'contacts', columns: ['workspace_id', 'sandbox', 'created_at', 'id'] },
    {
      create: 'contact_events',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        contact_id: 'id',
        type: 'key',
        ts: 'time',
        metadata: 'json',
      },
      primaryKey: ['workspace_id', 'sandbox', 'contact_id', 'ts', 'id'],
      clustered: true,
    },
    // Retention deletes old events of both sides at once.
    { index: 'contact_events_age', on: 'contact_events', columns: ['workspace_id', 'ts'] },
    {
      create: 'contact_former_addresses',
      columns: { workspace_id: 'id', sandbox: 'flag', email: 'address', contact_id: 'id' },
      primaryKey: ['workspace_id', 'sandbox', 'email'],
    },
    {
      index: 'contact_former_addresses_contact',
      on: 'contact_former_addresses',
      columns: ['workspace_id', 'sandbox', 'contact_id'],
    },
    {
      create: 'contact_sources',
      columns: { workspace_id: 'id', source_cursor: 'text', updated_at: 'time' },
      primaryKey: ['workspace_id'],
    },
  ],
});
