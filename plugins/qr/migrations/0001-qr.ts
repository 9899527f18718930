import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-qr',
  changes: [
    {
      create: 'qr_designs',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        encodes: 'json',
        label: 'text?',
        tags: 'json',
        style: 'json',
        frame: 'json',
        payload: 'text',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'qr_designs_list', on: 'qr_designs', columns: ['workspace_id', 'sandbox', 'created_at', 'id'] },
    {
      create: 'qr_addresses',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        qr_id: 'id',
        email: 'address',
        created_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'qr_addresses_email', on: 'qr_addresses', columns: ['workspace_id', 'sandbox', 'email'] },
    { index: 'qr_addresses_design', on: 'qr_addresses', columns: ['workspace_id', 'sandbox', 'qr_id'] },
  ],
});
