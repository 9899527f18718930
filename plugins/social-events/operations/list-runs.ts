import { defineList, z } from '../../../core/index.ts';
import { linkedPostStatuses, presentRun, withStatus } from '../runs.ts';
import { runResource, runStatus } from '../schema.ts';
import { runRows } from '../tables.ts';
import { builtIn, someRun } from './fixture-rows.ts';

export const listRuns = defineList({
  id: 'social_events.runs',
  summary: 'List the runs of social events',
  description: 'Newest first. The status of a run follows its post.',
  http: 'GET /v1/social/transactional/events',
  tool: 'list_social_event_runs',
  scopes: ['social:posts:read'],
  rows: runRows,
  item: runResource,
  filters: { eventKey: z.string().max(100).optional(), status: runStatus.optional() },
  customFilters: ['status'],
  conditions: ({ status }, ctx) => (status === undefined ? undefined : withStatus(ctx, status)),
  load: (ctx, rows) => linkedPostStatuses(ctx, rows),
  present: (row, _, posts) => presentRun(row, posts),
  exampleRow: someRun,
  foreign: async () => ({ eventKey: builtIn }),
});
