import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentComposition } from '../present.ts';
import { compositionResource } from '../schema.ts';
import { compositionRows } from '../tables.ts';
import { someComposition } from './fixture-rows.ts';

export const readComposition = defineRead({
  id: 'designs.read',
  summary: 'Read a composition',
  description: 'Its size and all of its layers, in the order of painting. To get the picture, render it.',
  http: 'GET /v1/compositions/{compositionId}',
  tool: 'read_composition',
  scopes: ['compositions:read'],
  rows: compositionRows,
  item: compositionResource,
  entityTag: ({ version }) => version,
  notFoundError: errors.composition_not_found,
  present: (row, ctx) => presentComposition(ctx, row),
  exampleRow: (kit, workspaceId) => someComposition(kit, workspaceId),
});
