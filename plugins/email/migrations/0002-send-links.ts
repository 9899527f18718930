import { defineMigration } from '../../../core/index.ts';

export const migration0002 = defineMigration({
  id: '0002-send-links',
  changes: [
    {
      create: 'send_links',
      columns: { send_id: 'id', workspace_id: 'id', sandbox: 'flag', sealed: 'bytes' },
      primaryKey: ['send_id'],
    },
  ],
});
