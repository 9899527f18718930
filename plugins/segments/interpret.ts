// Evaluates a filter for one contact, from facts that the caller has read. Pure. The statements of compile/ give the
// same results.

import { toIsoTime } from '../../core/index.ts';
import { type FilterOf, type FilterValues, filterIsTrue, readNames } from '../../core/unstable.ts';
import type { NamedFilters } from './compile/index.ts';
import {
  type DidLeaf,
  isDid,
  isSend,
  type SegmentFilter,
  type SegmentForm,
  type SendLeaf,
  sinceTime,
} from './filter-schema.ts';

/** A custom event of the contact. */
export interface EventFact {
  readonly type: string;
  readonly ts: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Something that happened to a send to the contact's address. */
export interface SendFact {
  readonly templateKey: string;
  /** Null if the send is not part of a broadcast. */
  readonly broadcastId: string | null;
  readonly category: string;
  readonly type: string;
  readonly ts: number;
  readonly isHuman: boolean;
}

/** The first time, the last time and the number of the contact's events of a type. */
export interface ActivityFact {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** Everything that filters read about a contact. */
export interface ContactFacts {
  readonly now: number;
  /** The zone of the contact's times without an offset. */
  readonly zone: string;
  readonly email: string | null;
  readonly externalId: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly isSubscribed: boolean;
  /** The lists of which the contact is a confirmed member. */
  readonly lists: ReadonlySet<string>;
  /** The topics to which the contact's address is subscribed. */
  readonly topics: ReadonlySet<string>;
  readonly activity: ReadonlyMap<string, ActivityFact>;
  readonly events: readonly EventFact[];
  readonly sends: readonly SendFact[];
}

const ownProperty = (holder: unknown, name: string): unknown =>
  typeof holder === 'object' && holder !== null && !Array.isArray(holder) && Object.hasOwn(holder, name)
    ? (holder as Readonly<Record<string, unknown>>)[name]
    : undefined;

const attribute = 'contact.attributes.';

/** The value of the contact at a path; undefined if it is missing. */
export function readFact(path: string, facts: ContactFacts): unknown {
  if (path.startsWith(attribute)) return ownProperty(facts.attributes, path.slice(attribute.length)) ?? undefined;
  if (path.startsWith('list.')) return facts.lists.has(path.slice('list.'.length)) || undefined;
  if (path.startsWith('topic.')) return facts.topics.has(path.slice('topic.'.length)) || undefined;
  switch (path) {
    case 'contact.email':
      return facts.email ?? undefined;
    case 'contact.external_id':
      return facts.externalId ?? undefined;
    case 'contact.subscribed':
      return facts.isSubscribed;
    case 'contact.created_at':
      return toIsoTime(facts.createdAt);
    case 'contact.updated_at':
      return toIsoTime(facts.updatedAt);
    default:
      return undefined;
  }
}

const textPaths: ReadonlySet<string> = new Set(['contact.email', 'contact.external_id']);

/** Whether a condition counts the event. */
export function countsEvent({ did, since, where }: DidLeaf, { type, ts, metadata }: EventFact, now: number): boolean {
  if (type !== did || ts < (sinceTime(since, now) ?? Number.NEGATIVE_INFINITY)) return false;
  const values: FilterValues = {
    now,
    // The zone is never used, because texts in metadata are not compared as times.
    zone: 'UTC',
    read: (path) => readNames(metadata, path.split('.').slice(2)),
    isPlain: () => true,
  };
  return filterIsTrue(where as FilterOf | undefined, values);
}

/** The events that a condition counts. */
export const matchingEvents = (leaf: DidLeaf, { events, now }: ContactFacts): EventFact[] =>
  events.filter((event) => countsEvent(leaf, event, now));

/** Whether the first time, the last time and the count of the type are enough to decide the condition. */
export const isDecidedByActivity = ({ since, atLeast = 1, where }: DidLeaf): boolean =>
  where === undefined && (since === undefined || atLeast === 1);

function fulfilsDid(leaf: DidLeaf, facts: ContactFacts): boolean {
  const { did, since, atLeast = 1 } = leaf;
  if (!isDecidedByActivity(leaf)) return matchingEvents(leaf, facts).length >= atLeast;
  const activity = facts.activity.get(did);
  if (activity === undefined) return false;
  const from = sinceTime(since, facts.now);
  return from === undefined ? activity.count >= atLeast : activity.last >= from;
}

/** The events of the contact's mail that match the condition, at any time. */
export const matchingSends = ({ send, was }: SendLeaf, { sends }: ContactFacts): SendFact[] =>
  sends.filter(
    ({ templateKey, broadcastId, category, type, isHuman }) =>
      type === `send.${was}` &&
      (send.templateKey === undefined || send.templateKey === templateKey) &&
      (send.broadcastId === undefined || send.broadcastId === broadcastId) &&
      (send.category === undefined || send.category === category) &&
      (isHuman || (was !== 'opened' && was !== 'clicked')),
  );

function wasSent(leaf: SendLeaf, facts: ContactFacts): boolean {
  const from = sinceTime(leaf.since, facts.now) ?? Number.NEGATIVE_INFINITY;
  return matchingSends(leaf, facts).some(({ ts }) => ts >= from);
}

/** Whether a filter is true for the contact. */
export function isTrueFor(filter: SegmentFilter, named: NamedFilters, facts: ContactFacts): boolean {
  const leaf = (form: SegmentForm): boolean => {
    if (isDid(form)) return fulfilsDid(form, facts);
    if (isSend(form)) return wasSent(form, facts);
    return isTrueFor(named.get(form.segment) ?? { any: [] }, named, facts);
  };
  return filterIsTrue<SegmentForm>(filter, {
    now: facts.now,
    zone: facts.zone,
    read: (path) => readFact(path, facts),
    isPlain: (path) => textPaths.has(path),
    leaf,
  });
}
