// The segments themselves. Both sides of a workspace share them; contacts and counts belong to one side.
import { defineResource, field, type RowOf, type StoredRow, toIsoTimeOrNull, z } from '../../core/index.ts';
import { errors } from './errors.ts';
import { filterSchema } from './filter-schema.ts';

/** The maximum number of segments in a workspace. */
export const maxSegments = 500;

export const segments = defineResource('segments', {
  title: 'Segment',
  name: 'segment',
  scopes: { read: 'lists:read', write: 'lists:write' },
  notFoundError: errors.segment_not_found,
  example: {
    operation: 'segments.create',
    body: (kit) => ({
      name: kit.unique('Customers on pro'),
      filter: { path: 'contact.attributes.plan', op: 'eq', value: 'pro' },
    }),
  },
  // Segments are not about a single person, but a filter may compare with an address.
  personal: { searched: true },
  fields: {
    segmentId: field.ownId('sgm'),
    name: field
      .key(z.string().trim().min(1).max(200).describe('Unique in the workspace.'))
      .shown(z.string())
      .unique()
      .personal('mentions'),
    description: field.text(z.string().max(2_000)).default('').personal('text'),
    // A pseudonym in place of an address is still a value that the schema allows.
    filter: field.json(filterSchema).personal('mentions').shown(filterSchema),
    contactCount: field.computed(
      z
        .int()
        .nullable()
        .describe(
          "Contacts on the caller's side; null if it was not counted yet. At most 5 minutes old when it is read.",
        ),
    ),
    countedAt: field.computed(z.iso.datetime({ precision: 3 }).nullable().describe('When the contacts were counted.')),
    watched: field.computed(
      z
        .boolean()
        .describe("Whether a published sequence or a webhook asks for changes of its contacts, on the caller's side."),
    ),
    version: field.version(),
    createdAt: field.createdAt(),
    updatedAt: field.updatedAt(),
  },
  async computed(ctx, rows) {
    const counts = await ctx.services.segments.countsOf(ctx, rows);
    const ids = rows.map(({ id }) => id);
    const watchedIds = await ctx.services.segments.filterWatched(ctx.trx, ids);
    return ({ id }) => ({
      contactCount: counts.get(id)?.contacts ?? null,
      countedAt: toIsoTimeOrNull(counts.get(id)?.at ?? null),
      watched: watchedIds.has(id),
    });
  },
});

export interface SegmentRow extends RowOf<typeof segments.table> {}
export const segmentRows = segments.rows;

declare module '../../core/contract/open.ts' {
  interface Tables {
    segments: StoredRow<typeof segments.table>;
  }
}
