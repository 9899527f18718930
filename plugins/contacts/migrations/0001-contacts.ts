import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-contacts',
  changes: [
    {
      create: 'contacts',
      columns: {
        id: 'id',
        workspace_id: 'id',
        external_id: 'key?',
        email: 'address?',
        address_as_given: 'text?',
        attributes: 'json',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'contacts_external_id', on: 'contacts', columns: ['workspace_id', 'external_id'], unique: true },
    { index: 'contacts_email', on: 'contacts', columns: ['workspace_id', 'email'], unique: true },
    { index: 'contacts_list', on: 'contacts', columns: ['workspace_id', 'created_at', 'id'] },
    {
      create: 'contact_events',
      columns: {
        id: 'id',
        workspace_id: 'id',
        contact_id: 'id',
        type: 'key',
        ts: 'time',
        synthetic: 'flag',
        metadata: 'json',
      },
      primaryKey: ['workspace_id', 'contact_id', 'ts', 'id'],
      clustered: true,
    },
    { index: 'contact_events_age', on: 'contact_events', columns: ['workspace_id', 'ts'] },
  ],
});
