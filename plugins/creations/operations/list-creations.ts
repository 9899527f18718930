import { defineList } from '../../../core/index.ts';
import { showCreations } from '../present.ts';
import { creationStatus, creationSummary } from '../schema.ts';
import { creationRows } from '../tables.ts';
import { someCreation } from './fixture-rows.ts';

export const listCreations = defineList({
  id: 'creations.list',
  summary: 'List creations',
  description: 'Campaigns, newest first, with the counts of their items.',
  http: 'GET /v1/creations',
  tool: 'list_creations',
  scopes: ['campaigns:read'],
  rows: creationRows,
  item: creationSummary,
  filters: { status: creationStatus.optional() },
  load: async (ctx, rows) => {
    const presented = await showCreations(ctx, rows);
    return new Map(presented.map((creation) => [creation.creationId, creation]));
  },
  present(row, _, shown) {
    const creation = shown.get(row.id);
    if (creation === undefined) throw new Error('A creation of the page was not shown.');
    return creation;
  },
  exampleRow: someCreation,
});
