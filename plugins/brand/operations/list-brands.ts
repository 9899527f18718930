import { defineList } from '../../../core/index.ts';
import { presentBrand, themesOf } from '../present.ts';
import { brandResource } from '../schema.ts';
import { brandRows } from '../tables.ts';
import { someBrand } from './fixture-rows.ts';

export const listBrands = defineList({
  id: 'brand.list',
  summary: 'List brands',
  description: 'Newest first, each with its themes. Both sides of the workspace share them.',
  http: 'GET /v1/brand',
  tool: 'list_brands',
  scopes: ['brand:read'],
  rows: brandRows,
  item: brandResource,
  load: (ctx, brands) =>
    themesOf(
      ctx.trx,
      brands.map(({ id }) => id),
    ),
  present: (row, ctx, themes) => presentBrand(ctx, row, themes.get(row.id) ?? []),
  exampleRow: someBrand,
});
