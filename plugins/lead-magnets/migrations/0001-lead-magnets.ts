import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-lead-magnets',
  changes: [
    {
      create: 'lead_magnets',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        title: 'text',
        format: 'id',
        brief: 'text?',
        status: 'id',
        cover_pages: 'integer',
        chapters: 'json',
        outline: 'json',
        text_hash: 'key',
        brand_id: 'id?',
        last_export: 'json?',
        progress: 'json?',
        build: 'json?',
        error: 'text?',
        creation_id: 'id?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'lead_magnets_list', on: 'lead_magnets', columns: ['workspace_id', 'sandbox', 'created_at', 'id'] },
    {
      index: 'lead_magnets_status',
      on: 'lead_magnets',
      columns: ['workspace_id', 'sandbox', 'status', 'created_at', 'id'],
    },
  ],
});
