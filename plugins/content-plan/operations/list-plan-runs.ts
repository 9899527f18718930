import { defineList, z } from '../../../core/index.ts';
import { presentRun } from '../runs/present.ts';
import { planRun, runStatus } from '../runs/schema.ts';
import { runRows } from '../runs/tables.ts';
import { awaitingRun } from './fixture-rows.ts';

export const listPlanRuns = defineList({
  id: 'content_plan.runs',
  summary: 'List the plans of weeks',
  description: 'Newest first, with their proposals and results. Kept for 400 days after their end.',
  http: 'GET /v1/content-plan/runs',
  tool: 'list_plan_runs',
  scopes: ['campaigns:read'],
  rows: runRows,
  item: planRun,
  filters: {
    status: runStatus.optional(),
    weekOf: z.string().max(10).optional().describe('The Monday of the week: YYYY-MM-DD.'),
  },
  present: presentRun,
  exampleRow: awaitingRun,
  foreign: async () => ({ weekOf: 'skipped: a date' }),
});
