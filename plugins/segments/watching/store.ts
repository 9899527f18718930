// Statements that compare a filter with the stored contacts of a watched segment: along an index, a bounded number of contacts
// each, and only contacts of the handle's workspace and side.
import { filledList, newerThan, type WorkspaceHandle } from '../../../core/index.ts';
import { type Condition, hasRow, negated, oneRow, reference } from '../../../core/unstable.ts';
import { compileFilter, contactAlias } from '../compile/index.ts';
import { contacts, type ResolvedFilter } from '../query.ts';
import { memberRows, type SegmentMemberRow } from '../tables.ts';

/** The position of a contact in the order of comparisons. */
export interface ContactPosition {
  readonly createdAt: number;
  readonly id: string;
}

/** The contacts after one position, up to another. */
export interface ContactRange {
  /** Null for the first range. */
  readonly after: ContactPosition | null;
  readonly last: ContactPosition;
}

/** The positions of the contacts after a position, oldest first. */
export async function positionsAfter(
  { db }: WorkspaceHandle,
  after: ContactPosition | null,
  limit: number,
): Promise<ContactPosition[]> {
  let query = db.selectFrom(contacts).select(['person.id', 'person.created_at']);
  if (after !== null) query = query.where(newerThan('person.created_at', 'person.id', after));
  const rows = await query.orderBy('person.created_at').orderBy('person.id').limit(limit).execute();
  return rows.map(({ id, created_at: createdAt }) => ({ id, createdAt: Number(createdAt) }));
}

const isMember = ({ db }: WorkspaceHandle, watchId: string): Condition =>
  hasRow(
    db
      .selectFrom('segment_members as member')
      .select(oneRow)
      .where('member.watch_id', '=', watchId)
      .where('member.contact_id', '=', reference<string>(`${contactAlias}.id`)),
  );

/** The ids of the contacts of a range that have entered or left the segment since the range was stored. */
export async function changedContacts(
  handle: WorkspaceHandle,
  watchId: string,
  { filter, named }: ResolvedFilter,
  { after, last }: ContactRange,
  now: number,
): Promise<string[]> {
  const matches = compileFilter(handle, filter, named, now);
  const isStored = isMember(handle, watchId);
  const changedIds: string[] = [];
  // Two statements, because one would bind the values of the filter twice.
  for (const [isNow, wasStored] of [
    [matches, negated(isStored)],
    [negated(matches), isStored],
  ] as const) {
    let query = handle.db
      .selectFrom(contacts)
      .select('person.id')
      .where('person.created_at', '<=', last.createdAt)
      .where((row) => row.or([row('person.created_at', '<', last.createdAt), row('person.id', '<=', last.id)]));
    if (after !== null) query = query.where(newerThan('person.created_at', 'person.id', after));
    for (const { id } of await query.where(wasStored).where(isNow).execute()) changedIds.push(id);
  }
  return changedIds;
}

/** The contacts among these for which the filter is true. */
export async function contactsInside(
  handle: WorkspaceHandle,
  ids: readonly string[],
  { filter, named }: ResolvedFilter,
  now: number,
): Promise<ReadonlySet<string>> {
  const rows = await handle.db
    .selectFrom(contacts)
    .select('person.id')
    .where('person.id', 'in', filledList(ids))
    .where(compileFilter(handle, filter, named, now))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The contacts among these that are stored. The rows are locked, so that MySQL reads the latest committed rows. */
export async function storedAmong(
  handle: WorkspaceHandle,
  watchId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows: readonly SegmentMemberRow[] = await memberRows.findIn(handle, 'contact_id', ids, 'update', {
    watch_id: watchId,
  });
  return new Set(rows.map(({ contact_id: id }) => id));
}

/** Deletes stored contacts. */
export async function deleteStored({ db }: WorkspaceHandle, watchId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom('segment_members')
    .where('watch_id', '=', watchId)
    .where('contact_id', 'in', filledList(ids))
    .execute();
}

/** The stored contacts after an id, sorted by id; only those that were stored at `since` or later. */
export async function materialisedAfter(
  { db }: WorkspaceHandle,
  watchId: string,
  { after, since, limit }: { readonly after: string; readonly since: number; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('segment_members')
    .select('contact_id')
    .where('watch_id', '=', watchId)
    .where('contact_id', '>', after)
    .where('stored_at', '>=', since)
    .orderBy('contact_id')
    .limit(limit)
    .execute();
  return rows.map(({ contact_id: id }) => id);
}

/** The segments in which a person is stored on this side. */
export const storedSegmentsOf = ({ db }: WorkspaceHandle, contactId: string, limit: number) =>
  db
    .selectFrom('segment_members')
    .innerJoin('segment_watches', 'segment_watches.id', 'segment_members.watch_id')
    .select(['segment_watches.segment_id as segmentId', 'segment_members.stored_at as storedAt'])
    .where('segment_members.contact_id', '=', contactId)
    .orderBy('segment_members.stored_at', 'desc')
    .limit(limit)
    .execute();
