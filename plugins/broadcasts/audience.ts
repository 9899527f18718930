// The contacts of an audience: counted when a broadcast is scheduled, and read in ranges while it is prepared. Every statement
// is bound to one workspace and side, and reads a bounded number of contacts.
import { filledList, newerThan, type ReadContext, type WorkspaceHandle } from '../../core/index.ts';
import { anyOf, type Condition, defineListStatement, hasRow, oneRow, reference } from '../../core/unstable.ts';
import type { SegmentsService } from '../segments/index.ts';
import type { FrozenAudience, FrozenPart } from './frozen.ts';
import type { Audience } from './schema.ts';

/** The position of a contact in the order in which audiences are read: the oldest first. */
export interface AudiencePosition {
  readonly createdAt: number;
  readonly id: string;
}

/** A contact that an audience includes. */
export interface AudienceContact extends AudiencePosition {
  /** The normalised address. */
  readonly email: string | null;
  /** The value of the attribute `timezone`, if the caller requested it. */
  readonly zone: unknown;
  /** Whether the contact is a confirmed member of an included list. */
  readonly isMember: boolean;
  readonly isExcluded: boolean;
  /** Whether the address has a suppression of any kind. */
  readonly hasSuppression: boolean;
}

const people = 'contacts as person' as const;

const listsIn = (parts: readonly FrozenPart[]): string[] =>
  parts.flatMap((part) => ('listId' in part ? [part.listId] : []));

const segmentsIn = (parts: readonly FrozenPart[]) => parts.flatMap((part) => ('filter' in part ? [part.filter] : []));

/** Whether the contact is in one of the parts. */
function conditionOf(ctx: ReadContext, parts: readonly FrozenPart[]): Condition {
  const { trx, services, now } = ctx;
  const segments: SegmentsService = services.segments;
  const lists = listsIn(parts);
  const member = hasRow(
    trx.db
      .selectFrom('list_members as member')
      .select(oneRow)
      .where('member.list_id', 'in', filledList(lists))
      .where('member.contact_id', '=', reference<string>('person.id'))
      .where('member.status', '=', 'confirmed'),
  );
  return anyOf([
    ...(lists.length === 0 ? [] : [member]),
    ...segmentsIn(parts).map((filter) => segments.conditionOf(trx, filter, now)),
  ]);
}

/** The number of contacts that the audience includes now, without regard to its exclusions. */
export async function countAudience(ctx: ReadContext, { include }: FrozenAudience): Promise<number> {
  const { db } = ctx.trx;
  const [firstPart, ...otherParts] = include;
  if (firstPart !== undefined && otherParts.length === 0 && 'listId' in firstPart) {
    const row = await db
      .selectFrom('list_counts')
      .select('confirmed')
      .where('list_id', '=', firstPart.listId)
      .executeTakeFirst();
    return Number(row?.confirmed ?? 0);
  }
  const row = await db
    .selectFrom(people)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(conditionOf(ctx, include))
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

/** The default of a broadcast's `ceiling`: the current size of the audience plus a tenth. */
export const defaultCeiling = (audience: number): number => audience + Math.ceil(audience / 10);

/** The addresses of the audience, for the leash of a key, in batches. */
export async function* audienceAddresses(ctx: ReadContext, audience: FrozenAudience): AsyncGenerator<string[]> {
  for (let after: AudiencePosition | null = null, more = true; more; ) {
    const { contacts, last }: AudienceRange = await readRange(ctx, audience, after);
    yield contacts.flatMap(({ email }) => email ?? []);
    more = last !== null;
    after = last;
  }
}

/**
 * The maximum number of contacts in a range, including contacts outside the audience. Each range costs a commit, so smaller ranges would be slow.
 * On SQLite, a login code may have to wait for a whole range, so larger ranges would delay the code.
 */
export const rangeSize = 2_000;

/** The contacts of an audience in a range of all contacts. */
export interface AudienceRange {
  readonly contacts: readonly AudienceContact[];
  /** The end of the range; null if no contact is after it. */
  readonly last: AudiencePosition | null;
}

/** The ids of these contacts that are confirmed members of one of the lists. */
async function confirmedIn(
  { db }: WorkspaceHandle,
  lists: readonly string[],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const sorted = [...ids].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (lists.length === 0 || first === undefined || last === undefined) return new Set();
  const rows = await db
    .selectFrom('list_members')
    .select('contact_id')
    .where('list_id', 'in', filledList(lists))
    .where('contact_id', 'in', filledList(sorted))
    // The range changes no result, but lets PostgreSQL seek in the index. With the list of ids alone, PostgreSQL reads all members of the list.
    .where('contact_id', '>=', first)
    .where('contact_id', '<=', last)
    // With an equality, SQLite would read all members of the list through the index of the status.
    .where('status', '!=', 'unconfirmed')
    .execute();
  return new Set(rows.map(({ contact_id: id }) => id));
}

/** The contacts of a range that are in one of the parts: by lists, and by segments. */
async function membersOf(ctx: ReadContext, parts: readonly FrozenPart[], ids: readonly string[], inRange: InRange) {
  const { trx, services, now } = ctx;
  const lists = listsIn(parts);
  const bySegments = new Set<string>();
  const segments: SegmentsService = services.segments;
  for (const filter of segmentsIn(parts))
    for (const { id } of await inRange(trx)
      .where(segments.conditionOf(trx, filter, now))
      .execute())
      bySegments.add(id);
  return { byLists: await confirmedIn(trx, lists, ids), bySegments };
}

type InRange = (handle: WorkspaceHandle) => ReturnType<typeof rangeQuery>;

/** The ids of the contacts after one position, up to another position. */
function rangeQuery({ db }: WorkspaceHandle, after: AudiencePosition | null, last: AudiencePosition) {
  const query = db
    .selectFrom(people)
    .select('person.id')
    .where('person.created_at', '<=', last.createdAt)
    .where((row) => row.or([row('person.created_at', '<', last.createdAt), row('person.id', '<=', last.id)]));
  return after === null ? query : query.where(newerThan('person.created_at', 'person.id', after));
}

/**
 * The contacts of a range whose address, or its pseudonym, is on the suppression list. Usually there are few, so they are read separately. There
 * are two conditions instead of one list of both columns, so that MariaDB can seek in an index for each.
 */
async function suppressedIn({ trx }: ReadContext, inRange: InRange): Promise<ReadonlySet<string>> {
  const has = (column: 'email' | 'email_pseudonym'): Condition =>
    hasRow(
      trx.db
        .selectFrom('suppressions as stop')
        .select(oneRow)
        .where('stop.email', '=', reference<string>(`person.${column}`)),
    );
  const rows = await inRange(trx)
    .where(anyOf([has('email'), has('email_pseudonym')]))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The value of the attribute `timezone` in attributes as they are stored. */
const zoneIn = (attributes: unknown): unknown =>
  (JSON.parse(String(attributes)) as Readonly<Record<string, unknown>>)['timezone'];

/** Reads the next contacts of an audience, the oldest first. @param withZones whether their time zones are needed */
export async function readRange(
  ctx: ReadContext,
  audience: FrozenAudience,
  after: AudiencePosition | null,
  withZones = false,
): Promise<AudienceRange> {
  const { db } = ctx.trx;
  let query = db
    .selectFrom(people)
    .select(['person.id', 'person.email', 'person.created_at'])
    .$if(withZones, (all) => all.select('person.attributes'));
  if (after !== null) query = query.where(newerThan('person.created_at', 'person.id', after));
  const rows = await query.orderBy('person.created_at').orderBy('person.id').limit(rangeSize).execute();
  const end = rows.at(-1);
  if (end === undefined) return { contacts: [], last: null };
  const last = { createdAt: Number(end.created_at), id: end.id };
  const ids = rows.map(({ id }) => id);
  const inRange: InRange = (handle) => rangeQuery(handle, after, last);
  const { byLists, bySegments } = await membersOf(ctx, audience.include, ids, inRange);
  const included = rows.filter(({ id }) => byLists.has(id) || bySegments.has(id));
  const excluded =
    included.length === 0 || audience.exclude.length === 0
      ? undefined
      : await membersOf(ctx, audience.exclude, ids, inRange);
  const suppressed = included.length === 0 ? new Set<string>() : await suppressedIn(ctx, inRange);
  return {
    contacts: included.map(({ id, email, attributes, created_at: createdAt }) => ({
      id,
      email,
      createdAt: Number(createdAt),
      zone: attributes === undefined ? undefined : zoneIn(attributes),
      isMember: byLists.has(id),
      isExcluded: excluded !== undefined && (excluded.byLists.has(id) || excluded.bySegments.has(id)),
      hasSuppression: suppressed.has(id),
    })),
    last: rows.length < rangeSize ? null : last,
  };
}

/** The ids of these contacts that are confirmed members of a list that the audience includes. */
export const confirmedAmong = (
  handle: WorkspaceHandle,
  { include }: FrozenAudience,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => confirmedIn(handle, listsIn(include), ids);

/** Whether a contact is a confirmed member of one of the lists. The status is compared with `!=` for the reason in confirmedIn. */
const memberById = defineListStatement((db, p: { contact_id: string }, lists) =>
  db
    .selectFrom('list_members')
    .select('contact_id')
    .where('status', '!=', 'unconfirmed')
    .where('list_id', 'in', lists)
    .where('contact_id', '=', p.contact_id)
    .limit(1),
);

/**
 * Whether a list of the audience still has a confirmed member for a mail of the broadcast: the contact for whom the mail was accepted, or
 * the current owner of the address. These are almost always the same contact. One statement that joined members and contacts would, on
 * PostgreSQL without statistics, read all contacts.
 */
export async function isStillMember(
  { trx, services }: ReadContext,
  { include }: Audience,
  { address, contactId }: { readonly address: string; readonly contactId: string | null },
): Promise<boolean> {
  const lists = include.flatMap((part) => ('listId' in part ? [part.listId] : []));
  const isMember = async (id: string) => (await trx.one(...memberById(lists, { contact_id: id }))) !== undefined;
  if (contactId !== null && (await isMember(contactId))) return true;
  const owner = await services.contacts.byEmail(trx, address);
  return owner !== undefined && owner.id !== contactId && isMember(owner.id);
}
