import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-suppressions',
  changes: [
    {
      create: 'suppressions',
      columns: {
        workspace_id: 'id',
        sandbox: 'flag',
        email: 'address',
        reason: 'id',
        scope: 'id',
        send_id: 'id?',
        note: 'text?',
        created_at: 'time',
        expires_at: 'time?',
      },
      primaryKey: ['workspace_id', 'sandbox', 'email'],
    },
    { index: 'suppressions_list', on: 'suppressions', columns: ['workspace_id', 'sandbox', 'created_at', 'email'] },
    {
      index: 'suppressions_reason',
      on: 'suppressions',
      columns: ['workspace_id', 'sandbox', 'reason', 'created_at', 'email'],
    },
    { index: 'suppressions_expiry', on: 'suppressions', columns: ['expires_at'] },
  ],
});
