import { defineOperation, z } from '../../../core/index.ts';
import { strategy } from '../documents.ts';
import { strategyPatch, strategyResource } from '../schema.ts';
import { patchDocument } from '../store.ts';

export const patchStrategy = defineOperation({
  id: 'marketing.strategy_patch',
  summary: 'Change the marketing strategy',
  description:
    'A JSON merge patch (RFC 7396): objects merge, lists are replaced, null empties a field. Returns the whole strategy.',
  http: 'PATCH /v1/marketing/strategy',
  tool: { name: 'patch_marketing_strategy', destructive: true },
  scopes: ['marketing:write'],
  idempotency: 'replay',
  input: {
    body: strategyPatch.extend({
      expectedVersion: z
        .int()
        .min(0)
        .optional()
        .describe('The change is refused if the strategy has a different version.'),
    }),
  },
  accepts: ['application/merge-patch+json'],
  output: strategyResource,
  entityTag: ({ version }) => version,
  ifMatch: true,
  liveOnly: true,
  errors: ['version_conflict'],
  audit: { action: 'marketing.strategy.update', target: () => ({ kind: 'marketing_strategy', id: 'strategy' }) },
  fixture: async (kit) => ({
    body: { positioning: kit.unique('Invoices in one minute'), pillars: [{ name: 'Speed' }] },
    errors: { version_conflict: async () => ({ body: { tone: 'Dry', expectedVersion: 1_000_000 } }) },
  }),

  async handler(ctx, { body: { expectedVersion, ...patch } }) {
    const version = (current: number) => ctx.expectVersion(current, expectedVersion);
    const { content, ...rest } = await patchDocument(ctx, strategy, patch, { version });
    return { ...content, ...rest };
  },
});
