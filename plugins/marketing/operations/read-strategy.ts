import { defineOperation, z } from '../../../core/index.ts';
import { strategy } from '../documents.ts';
import { strategySummary } from '../schema.ts';
import { readDocument } from '../store.ts';

export const readStrategy = defineOperation({
  id: 'marketing.strategy_read',
  summary: 'Read the marketing strategy',
  description: 'The summary has the positioning and the names of pillars, channels and goals; full has everything.',
  http: 'GET /v1/marketing/strategy',
  tool: 'read_marketing_strategy',
  scopes: ['marketing:read'],
  idempotency: 'read',
  input: { query: z.object({ detail: z.enum(['summary', 'full']).default('summary') }) },
  output: strategySummary,
  entityTag: ({ version }) => version,
  fixture: async () => ({ query: { detail: 'full' } }),

  async handler(ctx, { query: { detail } }) {
    const { content, ...rest } = await readDocument(ctx.trx, strategy);
    if (detail === 'full') return { ...content, ...rest };
    const { positioning, pillars, channels, goals } = content;
    return {
      ...rest,
      positioning,
      pillars: pillars.map(({ name }) => ({ name })),
      channels: channels.map(({ channel }) => ({ channel })),
      goals: goals.map(({ metric }) => ({ metric })),
    };
  },
});
