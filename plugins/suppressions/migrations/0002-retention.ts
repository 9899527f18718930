import { defineMigration } from '../../../core/index.ts';

export const migration0002 = defineMigration({
  id: '0002-retention',
  changes: [
    { index: 'suppressions_expiry', on: 'suppressions', columns: ['expires_at'] },
    {
      index: 'suppressions_reason',
      on: 'suppressions',
      columns: ['workspace_id', 'reason', 'created_at', 'email'],
    },
  ],
});
