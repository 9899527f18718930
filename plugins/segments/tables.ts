// Watched segments and the contacts that are in them, one side each. The segments themselves are in segments.ts.
import { column, defineTable, type RowOf, type StoredRow, type TenantRows, tenantRows } from '../../core/index.ts';

/** A segment whose changes are tracked on one side. The row exists as long as a plugin needs the changes. */
export const segmentWatches = defineTable(
  'segment_watches',
  {
    id: column.id('sgw'),
    segment_id: column.id('sgm'),
    /** SHA-256 of the filter, with the filters of the segments that it names. */
    filter_hash: column.key(),
    /**
     * The number of times that the contacts were stored without events: once at the start, and once for each changed
     * filter.
     */
    pass: column.integer(),
    /** The time at which the contacts of this pass were stored; null while a pass is storing them without events. */
    stored_at: column.time().nullable(),
    /** The time at which this pass began. */
    begun_at: column.time(),
    /** The time at which a comparison of several jobs last continued; null if no comparison is running. */
    continued_at: column.time().nullable(),
    created_at: column.time(),
  },
  { sides: true },
);

/**
 * A contact that was in a watched segment at the last comparison. Rows are added and removed in the transaction that emits the
 * event of the change.
 */
export const segmentMembers = defineTable(
  'segment_members',
  {
    watch_id: column.id('sgw'),
    contact_id: column.id('con'),
    stored_at: column.time(),
  },
  { sides: true, key: 'contact_id', personal: { columns: { contact_id: 'person' }, rows: 'remove' } },
);

export interface WatchRow extends RowOf<typeof segmentWatches> {}
export interface SegmentMemberRow extends RowOf<typeof segmentMembers> {}

export const watchRows: TenantRows<WatchRow> = tenantRows(segmentWatches);
export const memberRows: TenantRows<SegmentMemberRow> = tenantRows(segmentMembers, { time: 'stored_at' });

declare module '../../core/contract/open.ts' {
  interface Tables {
    segment_watches: StoredRow<typeof segmentWatches>;
    segment_members: StoredRow<typeof segmentMembers>;
  }
}
