import { defineMigration } from '../../../core/index.ts';

export const migration0001 = defineMigration({
  id: '0001-brands',
  changes: [
    {
      create: 'brands',
      columns: {
        id: 'id',
        workspace_id: 'id',
        name: 'text',
        is_default: 'flag',
        voice: 'json',
        palette: 'json',
        fonts: 'json',
        logos: 'json',
        postal_address: 'text?',
        imprint_url: 'text?',
        privacy_url: 'text?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'brands_list', on: 'brands', columns: ['workspace_id', 'created_at', 'id'] },
    {
      create: 'brand_themes',
      columns: {
        id: 'id',
        workspace_id: 'id',
        brand_id: 'id',
        position: 'integer',
        name: 'text',
        palette: 'json',
        fonts: 'json',
        logo: 'json?',
        radius: 'integer',
        created_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'brand_themes_brand', on: 'brand_themes', columns: ['workspace_id', 'brand_id', 'position'] },
  ],
});
