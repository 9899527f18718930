// The contacts of an audience: counted when a broadcast is scheduled, and read a range at a time while it is prepared. Every statement
// is bound to one workspace and side, and reads a bounded number of contacts.
import { filledList, newerThan, type ReadContext, type WorkspaceHandle } from '../../core/index.ts';
import { anyOf, type Condition, hasRow, oneRow, reference } from '../../core/unstable.ts';
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
  /** The value of the attribute `timezone`, if it was asked for. */
  readonly zone: unknown;
  /** Whether it is a confirmed member of an included list. */
  readonly isMember: boolean;
  readonly isExcluded: boolean;
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

/** How many contacts the audience includes now, before anybody is excluded. */
export async function countAudience(ctx: ReadContext, { include }: FrozenAudience): Promise<number> {
  const { db } = ctx.trx;
  const [only, ...others] = include;
  if (only !== undefined && others.length === 0 && 'listId' in only) {
    const row = await db
      .selectFrom('list_counts')
      .select('confirmed')
      .where('list_id', '=', only.listId)
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

/** The ceiling of a broadcast that names none: the present audience and a tenth. */
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
 * How many contacts one range has at most, whether the audience includes them or not. Each range costs a commit. On SQLite, a login code
 * waits for at most one range.
 */
export const rangeSize = 1_000;

/** The contacts of an audience in a range of all contacts. */
export interface AudienceRange {
  readonly contacts: readonly AudienceContact[];
  /** The end of the range; null if no contact is after it. */
  readonly last: AudiencePosition | null;
}

/** Which of these contacts are confirmed members of one of the lists. */
async function confirmedIn(
  { db }: WorkspaceHandle,
  lists: readonly string[],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (lists.length === 0 || ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('list_members')
    .select('contact_id')
    .where('list_id', 'in', filledList(lists))
    .where('contact_id', 'in', filledList(ids))
    // With an equality, SQLite would read all members of the list through the index of the status.
    .where('status', '!=', 'unconfirmed')
    .execute();
  return new Set(rows.map(({ contact_id: id }) => id));
}

/** Which of the contacts of a range are in one of the parts: by lists, and by segments. */
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

/** The ids of the contacts after a position, up to another. */
function rangeQuery({ db }: WorkspaceHandle, after: AudiencePosition | null, last: AudiencePosition) {
  const query = db
    .selectFrom(people)
    .select('person.id')
    .where('person.created_at', '<=', last.createdAt)
    .where((row) => row.or([row('person.created_at', '<', last.createdAt), row('person.id', '<=', last.id)]));
  return after === null ? query : query.where(newerThan('person.created_at', 'person.id', after));
}

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
  return {
    contacts: included.map(({ id, email, attributes = '{}', created_at: createdAt }) => ({
      id,
      email,
      createdAt: Number(createdAt),
      zone: (JSON.parse(String(attributes)) as Readonly<Record<string, unknown>>)['timezone'],
      isMember: byLists.has(id),
      isExcluded: excluded !== undefined && (excluded.byLists.has(id) || excluded.bySegments.has(id)),
    })),
    last: rows.length < rangeSize ? null : last,
  };
}

/** Which of these contacts are confirmed members of a list that the audience includes. */
export const confirmedAmong = (
  handle: WorkspaceHandle,
  { include }: FrozenAudience,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => confirmedIn(handle, listsIn(include), ids);

/**
 * Whether a mail of the broadcast still goes to a confirmed member of a list of the audience: to the owner of the address now, or to the
 * contact for whom it was accepted.
 */
export async function isStillMember(
  { db }: WorkspaceHandle,
  { include }: Audience,
  { address, contactId }: { readonly address: string; readonly contactId: string | null },
): Promise<boolean> {
  const lists = filledList(include.flatMap((part) => ('listId' in part ? [part.listId] : [])));
  // No equality: see confirmedIn.
  const members = db.selectFrom('list_members as member').where('member.status', '!=', 'unconfirmed');
  const owner = await members
    .innerJoin('contacts as person', 'person.id', 'member.contact_id')
    .select('member.contact_id')
    .where('person.email', '=', address)
    .where('member.list_id', 'in', lists)
    .limit(1)
    .executeTakeFirst();
  if (owner !== undefined || contactId === null) return owner !== undefined;
  const recipient = await members
    .select('member.contact_id')
    .where('member.contact_id', '=', contactId)
    .where('member.list_id', 'in', lists)
    .limit(1)
    .executeTakeFirst();
  return recipient !== undefined;
}
