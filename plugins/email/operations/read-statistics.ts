import { defineOperation, toIsoTime, z } from '../../../core/index.ts';
import { countByDay, countedSends, dayMs } from '../statistics.ts';
import { someSend } from './fixture-rows.ts';

const count = z.int().nonnegative();

const sendDay = z.object({
  day: z.string().describe('UTC: 2026-11-20.'),
  accepted: count.describe('All sends that were accepted on this day.'),
  delivered: count.describe('The sends among them that a mailbox accepted and nobody complained about.'),
  bounced: count,
  complained: count,
});

export const readStatistics = defineOperation({
  id: 'sends.statistics',
  summary: 'Read delivery statistics',
  description: 'The number of sends accepted on each day (UTC), and their results. Counts the newest 10,000.',
  http: 'GET /v1/sends/statistics',
  scopes: ['sends:read'],
  idempotency: 'read',
  input: { query: z.object({ days: z.coerce.number().int().min(1).max(90).default(30) }) },
  output: z
    .object({
      isComplete: z
        .boolean()
        .describe('False if there are more sends than are counted: the earlier days are then incomplete.'),
      days: z.array(sendDay).describe('The earliest first.'),
    })
    .meta({ id: 'SendStatistics' }),
  fixture: async (kit) => {
    await someSend(kit, kit.workspaceId);
    return { query: { days: '7' } };
  },

  async handler(ctx, { query: { days } }) {
    const today = ctx.now - (ctx.now % dayMs);
    const first = today - (days - 1) * dayMs;
    const rows = await countByDay(ctx.trx, first);
    const countOf = (day: number, status?: string): number =>
      rows.reduce(
        (sum, row) => (row.day === day && (status === undefined || row.status === status) ? sum + row.count : sum),
        0,
      );
    return {
      isComplete: rows.reduce((sum, row) => sum + row.count, 0) < countedSends,
      days: Array.from({ length: days }, (_, index) => {
        const day = first + index * dayMs;
        return {
          day: toIsoTime(day).slice(0, 10),
          accepted: countOf(day),
          delivered: countOf(day, 'delivered'),
          bounced: countOf(day, 'bounced'),
          complained: countOf(day, 'complained'),
        };
      }),
    };
  },
});
