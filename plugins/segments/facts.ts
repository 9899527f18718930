// Reads the facts about one contact that filters need (see interpret.ts). Each read is bound to the handle's workspace and side.
import { olderThan, type ReadContext } from '../../core/index.ts';
import { leavesOf, namesZone } from '../../core/unstable.ts';
import { mailEvents, type NamedFilters } from './compile/index.ts';
import {
  type DidLeaf,
  isDid,
  isSend,
  type Leaf,
  listsIn,
  type SegmentFilter,
  type SendLeaf,
  sinceTime,
  topicsIn,
} from './filter-schema.ts';
import {
  type ActivityFact,
  type ContactFacts,
  countsEvent,
  type EventFact,
  isDecidedByActivity,
  type SendFact,
} from './interpret.ts';

/** JSON as it is stored. */
const parsed = (json: unknown): Readonly<Record<string, unknown>> =>
  JSON.parse(String(json)) as Readonly<Record<string, unknown>>;

async function activityOf({ db }: ReadContext['trx'], contactId: string): Promise<Map<string, ActivityFact>> {
  const rows = await db
    .selectFrom('contact_activity')
    .select(['type', 'first_at', 'last_at', 'count'])
    .where('contact_id', '=', contactId)
    .execute();
  return new Map(
    rows.map(({ type, first_at: first, last_at: last, count }) => [
      type,
      { first: Number(first), last: Number(last), count: Number(count) },
    ]),
  );
}

/**
 * The maximum number of events read for a condition, newest first. If a condition needs a higher count, that count is
 * its maximum.
 */
const maxEvents = 10_000;
/** The maximum number of events that one statement reads. */
const pageSize = 1_000;

/** Groups by a name, in the order of the first of each name. */
function groupedBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item]);
  return groups;
}

/** The time from which events count for one of the conditions; 0 if all count. */
const earliestOf = (leaves: readonly DidLeaf[], now: number): number =>
  Math.min(...leaves.map(({ since }) => sinceTime(since, now) ?? 0));

/**
 * The events of the type that fulfil at least one of these conditions, newest first. Reads until each condition has
 * enough events, even if only a few of very many events fulfil it.
 */
async function eventsOf(
  { trx: { db }, now }: ReadContext,
  contactId: string,
  did: string,
  leaves: readonly DidLeaf[],
): Promise<EventFact[]> {
  const earliest = earliestOf(leaves, now);
  const neededByLeaf = new Map(leaves.map((leaf) => [leaf, Math.max(maxEvents, leaf.atLeast ?? 1)]));
  /** Whether the event fulfils a condition that still needs events. */
  const isWanted = (event: EventFact): boolean => {
    const fulfilled = [...neededByLeaf.keys()].filter((leaf) => countsEvent(leaf, event, now));
    for (const leaf of fulfilled) {
      const stillNeeded = (neededByLeaf.get(leaf) ?? 0) - 1;
      if (stillNeeded > 0) neededByLeaf.set(leaf, stillNeeded);
      else neededByLeaf.delete(leaf);
    }
    return fulfilled.length > 0;
  };
  const neededEvents: EventFact[] = [];
  let after: { readonly ts: number; readonly id: string } | undefined;
  for (;;) {
    let query = db
      .selectFrom('contact_events')
      .select(['id', 'type', 'ts', 'metadata'])
      .where('contact_id', '=', contactId)
      .where('type', '=', did)
      .where('ts', '>=', earliest);
    if (after !== undefined) query = query.where(olderThan('ts', 'id', { createdAt: after.ts, id: after.id }));
    const rows = await query.orderBy('ts', 'desc').orderBy('id', 'desc').limit(pageSize).execute();
    const events = rows.map(({ type, ts, metadata }) => ({ type, ts: Number(ts), metadata: parsed(metadata) }));
    neededEvents.push(...events.filter(isWanted));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize || neededByLeaf.size === 0) return neededEvents;
    after = { ts: Number(last.ts), id: last.id };
  }
}

/**
 * The events of mail to the address that match the condition, newest first and of any age, because an explanation names the latest one.
 * Events that do not match are not read, so any number of them does not hide the others.
 */
async function sendsOf({ db }: ReadContext['trx'], email: string, leaf: SendLeaf): Promise<SendFact[]> {
  const rows = await mailEvents(db, leaf, email)
    .select(['sent.template_key', 'sent.broadcast_id', 'sent.category'])
    .select(['report.type', 'report.ts', 'report.details'])
    .orderBy('report.ts', 'desc')
    .limit(maxEvents)
    .execute();
  return rows.map(({ template_key: templateKey, broadcast_id: broadcastId, category, type, ts, details }) => {
    const { bot } = parsed(details) as { readonly bot?: { readonly verdict?: unknown } };
    return { templateKey, broadcastId, category, type, ts: Number(ts), isHuman: bot?.verdict === 'human' };
  });
}

/** The comparisons and forms of a filter and of the segments that it refers to. */
function allLeaves(filter: SegmentFilter, named: NamedFilters): Leaf[] {
  return [filter, ...named.values()].flatMap((one): Leaf[] => leavesOf(one));
}

/** The facts about a contact; undefined if this side of the workspace has no such contact. */
export async function readFacts(
  ctx: ReadContext,
  contactId: string,
  filter: SegmentFilter,
  named: NamedFilters,
): Promise<ContactFacts | undefined> {
  const { trx, services, now } = ctx;
  const row = await trx.db
    .selectFrom('contacts')
    .select(['email', 'external_id', 'attributes', 'created_at', 'updated_at'])
    .where('id', '=', contactId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const leaves = allLeaves(filter, named);
  const lists = new Set<string>();
  for (const listId of [filter, ...named.values()].flatMap(listsIn))
    if (await services.lists.isMember(trx, listId, contactId)) lists.add(listId);
  const { email } = row;
  const topics = new Set<string>();
  for (const key of [filter, ...named.values()].flatMap(topicsIn))
    if ((await services.topics.subscription(trx, key, email))?.subscribed === true) topics.add(key);
  const suppressed = email === null ? undefined : await services.suppressions.suppressedAmong(trx, [email], now);
  const countingLeaves = leaves.flatMap((leaf) => (isDid(leaf) && !isDecidedByActivity(leaf) ? [leaf] : []));
  const events: EventFact[] = [];
  for (const [did, conditions] of groupedBy(countingLeaves, (leaf) => leaf.did))
    for (const event of await eventsOf(ctx, contactId, did, conditions)) events.push(event);
  const sends: SendFact[] = [];
  if (email !== null)
    for (const [, [leaf]] of groupedBy(leaves.filter(isSend), ({ send, was }) => JSON.stringify([was, send])))
      if (leaf !== undefined) for (const event of await sendsOf(trx, email, leaf)) sends.push(event);
  const attributes = parsed(row.attributes);
  const zone = Object.hasOwn(attributes, 'timezone') ? attributes['timezone'] : undefined;
  return {
    now,
    zone: namesZone(zone) ? zone : 'UTC',
    email,
    externalId: row.external_id,
    attributes,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    isSubscribed: email === null || suppressed?.has(email) !== true,
    lists,
    topics,
    activity: leaves.some(isDid) ? await activityOf(trx, contactId) : new Map(),
    events,
    sends,
  };
}
