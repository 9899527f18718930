import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { csvOf } from '../../../core/unstable.ts';
import { broadcastRows } from '../broadcasts.ts';
import { errors } from '../errors.ts';
import { reportLines } from '../report/lines.ts';
import { chartOf } from '../report/pictures.ts';
import { readReportOf } from '../report/read.ts';
import { chartNames, reportSchema } from '../report/schema.ts';
import { someDraft } from './fixture-rows.ts';

export const readReport = defineOperation({
  id: 'broadcasts.report',
  summary: 'Read the report of a broadcast',
  description:
    'The counts, what happened by hour (UTC), domain, link and variant, conversions with their value, and the effect of a holdout. Each recipient counts once; opens and clicks of bots do not count. The 50 largest domains and links are shown.',
  http: 'GET /v1/broadcasts/{broadcastId}/report',
  tool: 'read_broadcast_report',
  searchWords: ['results', 'performance', 'statistics', 'rate', 'opened', 'clicked', 'revenue', 'lift', 'chart'],
  scopes: ['broadcasts:read'],
  idempotency: 'read',
  input: {
    params: z.object({ broadcastId: idParameter('brc') }),
    query: z.object({
      chart: z.enum(chartNames).default('byHour').describe('The chart that a response as image/svg+xml shows.'),
    }),
  },
  output: reportSchema,
  representations: {
    'text/csv': {
      description:
        'One figure per line, with a heading line, as UTF-8. Cells that a spreadsheet would run get a quote in front.',
      render: async ({ output }) => ({ bytes: await csvOf(reportLines(output)), filename: 'report.csv' }),
    },
    'image/svg+xml': {
      description: 'The chart of the report that the parameter chart names.',
      render: ({ output, input }) => ({
        bytes: chartOf(output, input.query.chart),
        filename: `${input.query.chart}.svg`,
      }),
    },
  },
  errors: ['broadcast_not_found'],
  fixture: async (kit) => ({
    params: { broadcastId: await someDraft(kit, kit.workspaceId) },
    foreign: { params: { broadcastId: await someDraft(kit, kit.foreignWorkspaceId) } },
  }),

  async handler(ctx, { params: { broadcastId: id } }) {
    const row = await broadcastRows.find(ctx.trx, id);
    if (row === undefined) throw errors.broadcast_not_found({ id });
    return readReportOf(ctx.trx, row);
  },
});
