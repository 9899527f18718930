import { defineMigration } from '../../../core/index.ts';

/** For programs with a source that tells of changes. */
export const migration0002 = defineMigration({
  id: '0002-source',
  changes: [
    {
      create: 'contact_sources',
      columns: { workspace_id: 'id', source_cursor: 'text?', updated_at: 'time' },
      primaryKey: ['workspace_id'],
    },
  ],
});
