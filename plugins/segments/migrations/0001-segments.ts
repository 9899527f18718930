import { defineMigration } from '../../../core/index.ts';
import { segments } from '../segments.ts';

export const migration0001 = defineMigration({
  id: '0001-segments',
  changes: [
    ...segments.createTable,
    {
      create: 'segment_watches',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        segment_id: 'id',
        filter_hash: 'key',
        pass: 'integer',
        stored_at: 'time?',
        begun_at: 'time',
        continued_at: 'time?',
        created_at: 'time',
      },
      primaryKey: ['id'],
    },
    {
      index: 'segment_watches_segment',
      on: 'segment_watches',
      columns: ['workspace_id', 'sandbox', 'segment_id'],
      unique: true,
    },
    {
      create: 'segment_members',
      columns: { workspace_id: 'id', sandbox: 'flag', watch_id: 'id', contact_id: 'id', stored_at: 'time' },
      primaryKey: ['workspace_id', 'sandbox', 'watch_id', 'contact_id'],
      clustered: true,
    },
    { index: 'segment_members_contact', on: 'segment_members', columns: ['workspace_id', 'sandbox', 'contact_id'] },
  ],
});
