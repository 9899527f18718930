import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { showList } from '../present.ts';
import { listResource } from '../schema.ts';
import { listRows } from '../tables.ts';
import { someList } from './fixture-rows.ts';

export const readList = defineRead({
  id: 'lists.read',
  summary: 'Read a contact list',
  description:
    'Answers its name, how contacts join it, who sees it, and how many members it has; not the members themselves.',
  http: 'GET /v1/lists/{listId}',
  tool: 'read_list',
  scopes: ['lists:read'],
  rows: listRows,
  item: listResource,
  missing: errors.list_not_found,
  present: (row, ctx) => showList(ctx, row),
  one: someList,
});
