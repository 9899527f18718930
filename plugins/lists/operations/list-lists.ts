import { defineList } from '../../../core/index.ts';
import { presentList } from '../present.ts';
import { listResource } from '../schema.ts';
import { countRows, listRows } from '../tables.ts';
import { someList } from './fixture-rows.ts';

export const listLists = defineList({
  id: 'lists.list',
  summary: 'List contact lists',
  description: "Newest first. Both sides of the workspace share them; the counts are those of the caller's side.",
  http: 'GET /v1/lists',
  tool: 'list_lists',
  scopes: ['lists:read'],
  rows: listRows,
  item: listResource,
  async load(ctx, shown) {
    const ids = shown.map(({ id }) => id);
    const counts = await countRows.findIn(ctx.trx, 'list_id', ids);
    return new Map(counts.map((row) => [row.list_id, row]));
  },
  present: (row, ctx, counts) => presentList(ctx, row, counts.get(row.id)),
  one: someList,
});
