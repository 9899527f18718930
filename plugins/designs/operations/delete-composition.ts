import { defineDelete } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { compositionRows } from '../tables.ts';
import { someComposition } from './fixture-rows.ts';

export const deleteComposition = defineDelete({
  id: 'designs.delete',
  summary: 'Delete a composition',
  description: 'Pictures that were rendered from it stay. Its thumbnail is deleted at once.',
  http: 'DELETE /v1/compositions/{compositionId}',
  tool: { name: 'delete_composition', destructive: true },
  scopes: ['compositions:write'],
  rows: compositionRows,
  notFoundError: errors.composition_not_found,
  audit: { action: 'composition.delete', kind: 'composition' },
  exampleRow: (kit, workspaceId) => someComposition(kit, workspaceId),
});
