import { defineList } from '../../../core/index.ts';
import { presentAsset } from '../present.ts';
import { assetResource, kind, someAsset, source, tag } from '../schema.ts';
import { assetRows } from '../tables.ts';

export const listAssets = defineList({
  id: 'assets.list',
  summary: 'List assets',
  description: 'Newest first. Both sides of the workspace see all assets.',
  http: 'GET /v1/assets',
  tool: 'list_assets',
  scopes: ['assets:read'],
  rows: assetRows,
  item: assetResource,
  filters: {
    kind: kind.optional(),
    tag: tag.optional().describe('Only assets with this tag.'),
    source: source.optional(),
  },
  customFilters: ['tag'],
  conditions:
    ({ tag: filterTag }) =>
    (columns) =>
      filterTag === undefined
        ? []
        : [columns('id', 'in', columns.selectFrom('asset_tags').select('asset_id').where('tag', '=', filterTag))],
  present: (row, ctx) => presentAsset(ctx, ctx.workspace.id, row),
  exampleRow: someAsset,
});
