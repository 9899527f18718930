import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { showRun } from '../present.ts';
import { runResource } from '../schema.ts';
import { runRows } from '../tables.ts';
import { someRun } from './fixture-rows.ts';

export const readRun = defineRead({
  id: 'sequences.run_read',
  summary: 'Read a run of a sequence',
  description: 'Where it is, and what happened at each node, with the reason where something was not done.',
  http: 'GET /v1/sequence-runs/{runId}',
  tool: 'read_sequence_run',
  scopes: ['sequences:read'],
  rows: runRows,
  item: runResource,
  missing: errors.run_not_found,
  present: (row, ctx) => showRun(ctx, row),
  one: someRun,
});
