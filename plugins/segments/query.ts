// Statements over the contacts of a filter. Every statement is bound to one workspace and side.
import { olderThan, type WorkspaceHandle } from '../../core/index.ts';
import { dialectOf, jsonFunctionsOf, reference, sure } from '../../core/unstable.ts';
import { compileFilter, contactAlias, type NamedFilters } from './compile/index.ts';
import type { SegmentFilter } from './filter-schema.ts';
import type { SegmentPage } from './service.ts';

/** A filter with the filters of the segments that it names. */
export interface ResolvedFilter {
  readonly filter: SegmentFilter;
  readonly named: NamedFilters;
}

/** The table of contacts under the alias that compiled filters use. */
export const contacts = `contacts as ${contactAlias}` as 'contacts as person';

/** The number of contacts for whom a filter is true. */
export async function countContacts(
  handle: WorkspaceHandle,
  { filter, named }: ResolvedFilter,
  now: number,
): Promise<number> {
  const row = await handle.db
    .selectFrom(contacts)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(compileFilter(handle, filter, named, now))
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

/** A contact of a segment. */
export interface FoundContact {
  readonly id: string;
  readonly email: string | null;
  readonly external_id: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
}

/** A page of the contacts for which a filter is true, newest first. */
export async function listContacts(
  handle: WorkspaceHandle,
  { filter, named }: ResolvedFilter,
  { after, limit }: SegmentPage,
  now: number,
): Promise<FoundContact[]> {
  let query = handle.db
    .selectFrom(contacts)
    .select(['person.id', 'person.email', 'person.external_id', 'person.attributes', 'person.created_at'])
    .where(compileFilter(handle, filter, named, now));
  if (after !== undefined) query = query.where(olderThan('person.created_at', 'person.id', after));
  const rows = await query.orderBy('person.created_at', 'desc').orderBy('person.id', 'desc').limit(limit).execute();
  return rows.map(({ id, email, external_id, attributes, created_at: createdAt }) => ({
    id,
    email,
    external_id,
    attributes: JSON.parse(String(attributes)) as FoundContact['attributes'],
    createdAt: Number(createdAt),
  }));
}

/** Whether a contact of this side has the attribute. */
export async function hasAttribute(handle: WorkspaceHandle, name: string): Promise<boolean> {
  const json = jsonFunctionsOf(dialectOf(handle.db));
  const { isNotNull: exists } = json.at(reference(`${contactAlias}.attributes`), name);
  const row = await handle.db.selectFrom(contacts).select('person.id').where(sure(exists)).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Whether a custom event of the type was ever recorded for a contact of this side. */
export async function hasActivity({ db }: WorkspaceHandle, type: string): Promise<boolean> {
  const row = await db
    .selectFrom('contact_activity')
    .select('type')
    .where('type', '=', type)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
