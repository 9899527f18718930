import { defineOperation, z } from '../../../core/index.ts';
import { utmFields } from '../schema.ts';
import { topUtm } from '../store.ts';

/** The maximum number of values of a field. */
const maxValues = 50;

export const suggestUtm = defineOperation({
  id: 'links.utm_suggestions',
  summary: 'List UTM values that links had before',
  description: `The most frequent first, at most ${maxValues} for each field, so that campaigns use the same values each time.`,
  http: 'GET /v1/links/utm-suggestions',
  tool: 'list_utm_suggestions',
  scopes: ['links:read'],
  idempotency: 'read',
  input: {
    query: z.object({
      field: z.enum(utmFields).optional().describe('Only values of this field.'),
      includeCounts: z.stringbool().default(true).describe('false leaves the counts out.'),
    }),
  },
  output: z.object({
    items: z.array(
      z.object({
        field: z.enum(utmFields),
        value: z.string(),
        count: z.int().optional().describe('How many links have had this value.'),
      }),
    ),
  }),
  fixture: async (kit) => {
    const utm = { source: 'newsletter', campaign: kit.unique('spring') };
    await kit.call('links.create', { destinationUrl: 'https://example.com/', utm }, kit.workspaceId);
    return { query: { field: 'source' } };
  },

  async handler(ctx, { query: { field, includeCounts } }) {
    const fields = field === undefined ? utmFields : [field];
    const valuesByField = await Promise.all(fields.map((one) => topUtm(ctx.trx, one, maxValues)));
    const items = valuesByField
      .flat()
      .sort((a, b) => b.uses - a.uses)
      .map(({ field: of, value, uses }) => ({ field: of, value, ...(includeCounts ? { count: uses } : {}) }));
    return { items };
  },
});
