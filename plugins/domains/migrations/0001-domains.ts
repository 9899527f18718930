import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-domains',
  changes: [
    {
      create: 'domains',
      columns: {
        id: 'id',
        workspace_id: 'id',
        domain: 'address',
        selector: 'id',
        public_key: 'text',
        verified_at: 'time?',
        checked_at: 'time?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'domains_list', on: 'domains', columns: ['workspace_id', 'created_at', 'id'] },
    { index: 'domains_name', on: 'domains', columns: ['workspace_id', 'domain'], unique: true },
  ],
});
