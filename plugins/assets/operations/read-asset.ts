import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentAsset } from '../present.ts';
import { assetResource, someAsset } from '../schema.ts';
import { assetRows } from '../tables.ts';

export const readAsset = defineRead({
  id: 'assets.read',
  summary: 'Read an asset',
  description: 'Includes a URL that reads the file for 24 hours.',
  http: 'GET /v1/assets/{assetId}',
  tool: 'read_asset',
  scopes: ['assets:read'],
  rows: assetRows,
  item: assetResource,
  present: (row, ctx) => presentAsset(ctx, ctx.workspace.id, row),
  notFoundError: errors.asset_not_found,
  exampleRow: someAsset,
});
