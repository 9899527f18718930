import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-connectors',
  changes: [
    {
      create: 'connectors',
      columns: {
        id: 'id',
        workspace_id: 'id',
        kind: 'id',
        provider: 'id',
        name: 'text',
        options: 'json',
        uses: 'json',
        status: 'id',
        last_used_at: 'time?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'connectors_list', on: 'connectors', columns: ['workspace_id', 'created_at', 'id'] },
    { index: 'connectors_kind', on: 'connectors', columns: ['workspace_id', 'kind', 'created_at', 'id'] },
    {
      create: 'credentials',
      columns: {
        owner_id: 'id',
        workspace_id: 'id',
        version: 'integer',
        sealed: 'bytes',
        expires_at: 'time?',
        lease: 'id?',
        lease_until: 'time?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['owner_id'],
    },
    { index: 'credentials_list', on: 'credentials', columns: ['workspace_id', 'created_at', 'owner_id'] },
  ],
});
