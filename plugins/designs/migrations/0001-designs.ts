import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-designs',
  changes: [
    {
      create: 'compositions',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        name: 'text',
        width: 'integer',
        height: 'integer',
        crop_preset_id: 'key?',
        brand_id: 'id?',
        layers: 'json',
        version: 'integer',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'compositions_list', on: 'compositions', columns: ['workspace_id', 'sandbox', 'created_at', 'id'] },
  ],
});
