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
        attribute_times: 'json?',
        email_pseudonym: 'address?',
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
    // For sequences, which read a contact's events of one type from a time on.
    {
      index: 'contact_events_type',
      on: 'contact_events',
      columns: ['workspace_id', 'sandbox', 'contact_id', 'type', 'ts', 'id'],
    },
    // Retention deletes old events of both sides at once.
    { index: 'contact_events_age', on: 'contact_events', columns: ['workspace_id', 'ts'] },
    {
      create: 'contact_activity',
      columns: {
        workspace_id: 'id',
        sandbox: 'flag',
        contact_id: 'id',
        type: 'key',
        first_at: 'time',
        last_at: 'time',
        count: 'integer',
      },
      primaryKey: ['workspace_id', 'sandbox', 'contact_id', 'type'],
      clustered: true,
    },
    // For questions whether an event of a type has ever happened, and when it happened last.
    { index: 'contact_activity_type', on: 'contact_activity', columns: ['workspace_id', 'sandbox', 'type', 'last_at'] },
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
    {
      create: 'contact_imports',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        status: 'id',
        columns: 'json',
        ignored_columns: 'json',
        list_id: 'id?',
        consent_note: 'text?',
        total: 'integer',
        position: 'integer',
        created: 'integer',
        updated: 'integer',
        unchanged: 'integer',
        rejected: 'integer',
        faults: 'json',
        joining: 'json?',
        preferring: 'json?',
        erased: 'json',
        created_at: 'time',
        finished_at: 'time?',
      },
      primaryKey: ['id'],
    },
    // For erasures, which read the running imports.
    { index: 'contact_imports_status', on: 'contact_imports', columns: ['workspace_id', 'sandbox', 'status', 'id'] },
    { index: 'contact_imports_age', on: 'contact_imports', columns: ['workspace_id', 'created_at'] },
    {
      create: 'contact_import_parts',
      columns: { import_id: 'id', workspace_id: 'id', sandbox: 'flag', position: 'integer', sealed: 'bytes' },
      primaryKey: ['import_id', 'position'],
    },
  ],
});
