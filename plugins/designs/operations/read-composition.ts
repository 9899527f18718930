import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentComposition } from '../present.ts';
import { compositionResource } from '../schema.ts';
import { compositionRows } from '../tables.ts';
import { someComposition } from './fixture-rows.ts';

export const readComposition = defineRead({
  id: 'designs.read',
  summary: 'Read a composition',
  description: 'Its size and all of its layers, in the order of painting. The picture itself is what a render answers.',
  http: 'GET /v1/compositions/{compositionId}',
  tool: 'read_composition',
  scopes: ['compositions:read'],
  rows: compositionRows,
  item: compositionResource,
  entityTag: ({ version }) => version,
  missing: errors.composition_not_found,
  present: (row, ctx) => presentComposition(ctx, row),
  one: (kit, workspaceId) => someComposition(kit, workspaceId),
});
