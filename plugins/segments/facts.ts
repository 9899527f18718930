// Reads the facts about one contact that filters need (see interpret.ts). Each read is bound to the handle's workspace and side.
import { olderThan, type ReadContext } from '../../core/index.ts';
import { leavesOf, namesZone } from '../../core/unstable.ts';
import type { NamedFilters } from './compile/index.ts';
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

/** How many events are kept for a condition, newest first. A condition that counts to a higher number keeps up to that number. */
const maxEvents = 10_000;
/** How many events one statement reads. */
const atOnce = 1_000;

/** Groups by a name, in the order of the first of each name. */
function groupedBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item]);
  return groups;
}

/** The time from which events count for one of the conditions; 0 if all count. */
const earliestOf = (leaves: readonly DidLeaf[], now: number): number =>
  Math.min(...leaves.map(({ since }) => sinceTime(since, now) ?? 0));

/** The events of the type for which one of these conditions is true, newest first. A few among very many are found, too. */
async function eventsOf(
  { trx: { db }, now }: ReadContext,
  contactId: string,
  did: string,
  leaves: readonly DidLeaf[],
): Promise<EventFact[]> {
  const from = earliestOf(leaves, now);
  const open = new Map(leaves.map((leaf) => [leaf, Math.max(maxEvents, leaf.atLeast ?? 1)]));
  /** Whether a condition that does not have enough events yet counts this one. */
  const isWanted = (event: EventFact): boolean => {
    const counting = [...open.keys()].filter((leaf) => countsEvent(leaf, event, now));
    for (const leaf of counting) {
      const missing = (open.get(leaf) ?? 0) - 1;
      if (missing > 0) open.set(leaf, missing);
      else open.delete(leaf);
    }
    return counting.length > 0;
  };
  const kept: EventFact[] = [];
  let after: { readonly ts: number; readonly id: string } | undefined;
  for (;;) {
    let query = db
      .selectFrom('contact_events')
      .select(['id', 'type', 'ts', 'metadata'])
      .where('contact_id', '=', contactId)
      .where('type', '=', did)
      .where('ts', '>=', from);
    if (after !== undefined) query = query.where(olderThan('ts', 'id', { createdAt: after.ts, id: after.id }));
    const rows = await query.orderBy('ts', 'desc').orderBy('id', 'desc').limit(atOnce).execute();
    const events = rows.map(({ type, ts, metadata }) => ({ type, ts: Number(ts), metadata: parsed(metadata) }));
    kept.push(...events.filter(isWanted));
    const last = rows.at(-1);
    if (last === undefined || rows.length < atOnce || open.size === 0) return kept;
    after = { ts: Number(last.ts), id: last.id };
  }
}

/** The events of mail to the address, at any time, because an explanation names the latest one. */
async function sendsOf({ db }: ReadContext['trx'], email: string, was: SendLeaf['was']): Promise<SendFact[]> {
  const rows = await db
    .selectFrom('sends')
    .innerJoin('send_events', 'send_events.send_id', 'sends.id')
    .select(['sends.template_key', 'sends.broadcast_id', 'sends.category'])
    .select(['send_events.type', 'send_events.ts', 'send_events.details'])
    .where('sends.to_normalised', '=', email)
    .where('send_events.type', '=', `send.${was}`)
    .orderBy('send_events.ts', 'desc')
    .limit(maxEvents)
    .execute();
  return rows.map(({ template_key: templateKey, broadcast_id: broadcastId, category, type, ts, details }) => {
    const { bot } = parsed(details) as { readonly bot?: { readonly verdict?: unknown } };
    return { templateKey, broadcastId, category, type, ts: Number(ts), isHuman: bot?.verdict === 'human' };
  });
}

/** The comparisons and forms of a filter and of the segments that it names. */
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
  const counting = leaves.flatMap((leaf) => (isDid(leaf) && !isDecidedByActivity(leaf) ? [leaf] : []));
  const events: EventFact[] = [];
  for (const [did, those] of groupedBy(counting, (leaf) => leaf.did))
    for (const event of await eventsOf(ctx, contactId, did, those)) events.push(event);
  const sends: SendFact[] = [];
  if (email !== null)
    for (const was of new Set(leaves.flatMap((leaf) => (isSend(leaf) ? [leaf.was] : []))))
      sends.push(...(await sendsOf(trx, email, was)));
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
