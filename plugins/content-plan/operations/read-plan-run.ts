import { defineRead } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentRun } from '../runs/present.ts';
import { planRun } from '../runs/schema.ts';
import { runRows } from '../runs/tables.ts';
import { awaitingRun } from './fixture-rows.ts';

export const readPlanRun = defineRead({
  id: 'content_plan.run_read',
  summary: 'Read the plan of a week',
  description: 'Includes its proposals: the first gate that is not approved waits for a decision.',
  http: 'GET /v1/content-plan/runs/{runId}',
  tool: 'read_plan_run',
  scopes: ['campaigns:read'],
  rows: runRows,
  item: planRun,
  notFoundError: errors.plan_run_not_found,
  present: presentRun,
  exampleRow: awaitingRun,
});
