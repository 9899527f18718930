import { defineList, z } from '../../../core/index.ts';
import { bookStylesOf, presentSummary } from '../present.ts';
import { statuses, summaryResource } from '../schema.ts';
import { summaryRows } from '../tables.ts';
import { someDraft } from './fixture-rows.ts';

export const listLeadMagnets = defineList({
  id: 'lead_magnets.list',
  summary: 'List lead magnets',
  description: 'Newest first. Chapters come without their text.',
  http: 'GET /v1/lead-magnets',
  tool: 'list_lead_magnets',
  scopes: ['pages:read'],
  rows: summaryRows,
  item: summaryResource,
  filters: { status: z.enum(statuses).optional().describe('Only lead magnets of this status.') },
  load: (ctx, shown) => bookStylesOf(ctx, shown),
  present: (row, _, looks) => presentSummary(row, looks.get(row.brand_id)),
  exampleRow: someDraft,
});
