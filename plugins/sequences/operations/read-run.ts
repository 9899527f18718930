import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { showRun } from '../present.ts';
import { runResource } from '../schema.ts';
import { runRows } from '../tables.ts';
import { someRun } from './fixture-rows.ts';

export const readRun = defineRead({
  id: 'sequences.run_read',
  summary: 'Read a run of a sequence',
  description:
    'The current node of the run, and the result at each node, with the reason if a step was skipped or failed.',
  http: 'GET /v1/sequence-runs/{runId}',
  tool: 'read_sequence_run',
  scopes: ['sequences:read'],
  rows: runRows,
  item: runResource,
  notFoundError: errors.run_not_found,
  present: (row, ctx) => showRun(ctx, row),
  exampleRow: someRun,
});
