// `ctx.services.segments`: the calls that other plugins make about segments. Called inside the caller's transaction or read.
import type { ReadContext, ReferenceSource, TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import type { Condition } from '../../core/unstable.ts';
import type { SegmentFilter } from './filter-schema.ts';
import type { SegmentWatcher } from './watching/watched.ts';

/** The properties of a segment that other plugins need. */
export interface SegmentRecord {
  readonly id: string;
  readonly name: string;
  readonly filter: SegmentFilter;
  readonly version: number;
}

/** A filter with copies of the filters of its segments, so that it does not change when they do. */
export interface FrozenFilter {
  readonly filter: SegmentFilter;
  /** The filters of the segments that it refers to, by segment id. */
  readonly named: Readonly<Record<string, SegmentFilter>>;
}

/** A count of a segment's contacts. */
export interface SegmentCount {
  readonly contacts: number;
  /** The time of the count, in milliseconds. */
  readonly at: number;
}

/** A page of the contacts of a segment, newest first. */
export interface SegmentPage {
  /** The end of the page before. (Default: from the newest contact) */
  readonly after?: { readonly createdAt: number; readonly id: string } | undefined;
  readonly limit: number;
}

/** `ctx.services.segments`. */
export interface SegmentsService {
  /** A segment of the workspace. `lock` prevents its deletion until the transaction ends. (Default: no lock) */
  find(handle: WorkspaceHandle, segmentId: string, lock?: 'share'): Promise<SegmentRecord | undefined>;
  /** The error for an unknown segment id, so that other plugins throw the same error. */
  notFound(segmentId: string): Error;
  /** The contacts for which a filter is true on the handle's side. @throws segment_not_found */
  contactsOf(
    ctx: ReadContext,
    filter: SegmentFilter,
    page: SegmentPage,
  ): Promise<readonly { readonly id: string; readonly createdAt: number }[]>;
  /** The number of contacts on the handle's side for whom a filter is true. @throws segment_not_found */
  count(ctx: ReadContext, filter: SegmentFilter): Promise<number>;
  /** A filter with the current filters of the segments that it refers to, as plain data. @throws segment_not_found */
  freeze(handle: WorkspaceHandle, filter: SegmentFilter): Promise<FrozenFilter>;
  /**
   * The condition of a frozen filter, for a statement of this handle in which the table of contacts has the alias `person`. It is never
   * null.
   */
  conditionOf(handle: WorkspaceHandle, frozen: FrozenFilter, now: number): Condition;
  /** Whether a filter is true for a contact. False if there is no such contact. @throws segment_not_found */
  contains(ctx: ReadContext, filter: SegmentFilter, contactId: string): Promise<boolean>;
  /**
   * The counts of segments. A count older than 5 minutes is renewed while the time for counting lasts; after that, a segment gets its
   * older count, or is left out if it was not counted yet.
   */
  countsOf(
    ctx: ReadContext,
    rows: readonly (Omit<SegmentRecord, 'name'> & Readonly<Record<string, unknown>>)[],
  ): Promise<ReadonlyMap<string, SegmentCount>>;
  /** The segments among these that are watched on the handle's side. */
  filterWatched(handle: WorkspaceHandle, segmentIds: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Begins and ends the watching of segments. A plugin calls it in the transaction in which it starts or stops needing
   * the changes of a segment.
   */
  updateWatches(ctx: TransactionContext): Promise<void>;
  /**
   * The contacts that are stored in a watched segment, sorted by id, after an id; only those that were stored at `since` or later.
   * Undefined while the contacts are still being stored, and if the segment is not watched.
   */
  materialisedMembers(
    handle: WorkspaceHandle,
    segmentId: string,
    page: { readonly after: string; readonly since: number; readonly limit: number },
  ): Promise<readonly string[] | undefined>;
}

declare module '../../core/contract/open.ts' {
  interface Services {
    segments: SegmentsService;
  }
  interface ExtensionPoints {
    /** The users of a segment. If a caller tries to delete the segment, the error `segment_in_use` lists them. */
    'segments.references': ReferenceSource;
    /** The plugins that need the changes of segments. */
    'segments.watchers': SegmentWatcher;
  }
}
