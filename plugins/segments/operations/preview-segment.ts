import { defineOperation, z } from '../../../core/index.ts';
import { filterSchema } from '../filter-schema.ts';
import { checkActivities, checkNesting, resolveFilter } from '../named-filters.ts';
import { countContacts, listContacts } from '../query.ts';
import { presentContact, segmentContact } from '../schema.ts';
import { warningsOf } from '../warnings.ts';

const sampleSize = 20;

export const previewSegment = defineOperation({
  id: 'segments.preview',
  summary: 'Preview a filter',
  description:
    "How many contacts of the caller's side a filter is true for, with warnings about names that no contact has and conditions that are always or never true. The sample shows the newest contacts, and needs contacts:read.",
  http: 'POST /v1/segments/preview',
  tool: 'preview_segment',
  scopes: ['lists:read'],
  idempotency: 'read',
  input: { body: z.object({ filter: filterSchema }) },
  output: z
    .object({
      contactCount: z.int(),
      sample: z.array(segmentContact).optional().describe('At most 20; left out without contacts:read.'),
      warnings: z.array(z.string()),
    })
    .meta({ id: 'SegmentPreview' }),
  errors: ['segment_not_found'],
  fixture: async (kit) => {
    const email = `${kit.unique('reader')}@example.com`;
    await kit.call('contacts.upsert', { email, attributes: { plan: 'pro', seats: 5 } });
    const { segmentId } = await kit.call(
      'segments.create',
      { name: kit.unique('Hers'), filter: {} },
      kit.foreignWorkspaceId,
    );
    return {
      body: {
        filter: { all: [{ path: 'contact.attributes.plan', op: 'eq', value: 'pro' }, { not: { did: 'signed.out' } }] },
      },
      foreign: {
        body: {
          filter: { segment: String(segmentId) },
          'filter.send.templateKey': 'skipped: compared with the sends of this workspace',
          'filter.send.broadcastId': 'skipped: compared with the sends of this workspace',
        },
      },
      errors: {
        segment_not_found: async () => ({ body: { filter: { segment: 'sgm_01ARZ3NDEKTSV4RRFFQ69G5FAV' } } }),
      },
    };
  },

  async handler(ctx, { body: { filter } }) {
    checkActivities(ctx, filter);
    await checkNesting(ctx.trx, filter, null);
    const resolved = await resolveFilter(ctx.trx, filter);
    const contactCount = await countContacts(ctx.trx, resolved, ctx.now);
    const warnings = await warningsOf(ctx, filter);
    if (!ctx.holds('contacts:read')) return { contactCount, warnings };
    const sample = await listContacts(ctx.trx, resolved, { limit: sampleSize }, ctx.now);
    return { contactCount, sample: sample.map(presentContact), warnings };
  },
});
