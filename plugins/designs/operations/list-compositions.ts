import { defineList } from '../../../core/index.ts';
import { presentComposition } from '../present.ts';
import { compositionResource } from '../schema.ts';
import { compositionRows } from '../tables.ts';
import { someComposition } from './fixture-rows.ts';

export const listCompositions = defineList({
  id: 'designs.list',
  summary: 'List compositions',
  description: 'Newest first, each with its layers and the address of its thumbnail.',
  http: 'GET /v1/compositions',
  tool: 'list_compositions',
  scopes: ['compositions:read'],
  rows: compositionRows,
  item: compositionResource,
  present: (row, ctx) => presentComposition(ctx, row),
  exampleRow: (kit, workspaceId) => someComposition(kit, workspaceId),
});
