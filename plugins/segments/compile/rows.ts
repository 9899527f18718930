// Conditions about rows of other tables: lists, suppressions, preferences, custom events, sends. Every table is bound to the workspace and side
// of the handle.
import type { WorkspaceHandle } from '../../../core/index.ts';
import {
  allOf,
  always,
  anyOf,
  type Condition,
  dialectOf,
  type FilterCondition,
  type FilterOf,
  type FilterValue,
  hasRow,
  hasRows,
  isCondition,
  type JsonOperator,
  jsonFunctionsOf,
  negated,
  never,
  oneRow,
  reference,
  sure,
} from '../../../core/unstable.ts';
import { type DidLeaf, type SendLeaf, sinceTime } from '../filter-schema.ts';
import { contactColumn, type Target } from './columns.ts';

type Db = WorkspaceHandle['db'];

const contactId = contactColumn<string>('id');
const email = contactColumn<string>('email');

/** Whether the contact is a confirmed member of the list. */
export const isMember = (db: Db, listId: string): Condition =>
  hasRow(
    db
      .selectFrom('list_members as member')
      .select(oneRow)
      .where('member.list_id', '=', listId)
      .where('member.contact_id', '=', contactId)
      .where('member.status', '=', 'confirmed'),
  );

/** Whether the contact's address is not suppressed. A suppression of an erased person has the pseudonym of the address. */
export const isSubscribed = (db: Db, now: number): Condition =>
  negated(
    hasRow(
      db
        .selectFrom('suppressions as stop')
        .select(oneRow)
        .where('stop.email', 'in', [email, contactColumn<string>('email_pseudonym')])
        .where((row) => row.or([row('stop.expires_at', 'is', null), row('stop.expires_at', '>', now)])),
    ),
  );

/**
 * Whether the contact's address is subscribed to the topic: by a preference, or by the topic's default without one. If there are
 * two preferences, the opt-out counts. The preference of an erased person has the pseudonym of the address.
 */
export function subscribesToTopic(db: Db, key: string): Condition {
  const preference = (subscribed: number): Condition =>
    hasRow(
      db
        .selectFrom('topic_preferences as preference')
        .select(oneRow)
        .where('preference.email', 'in', [email, contactColumn<string>('email_pseudonym')])
        .where('preference.topic_key', '=', key)
        .where('preference.subscribed', '=', subscribed),
    );
  const topic = db.selectFrom('topics as topic').select(oneRow).where('topic.key', '=', key);
  return allOf([
    hasRow(topic),
    negated(preference(0)),
    anyOf([hasRow(topic.where('topic.default_state', '=', 'subscribed')), preference(1)]),
  ]);
}

const metadata = reference<unknown>('happened.metadata');

/**
 * The possible ways to split a path into names, by precedence: a property whose own name contains the dots comes first.
 */
const readings = (names: readonly string[]): readonly (readonly string[])[] =>
  names.map((_, index) => [...names.slice(0, index), names.slice(index).join('.')]);

/** A comparison of a value in an event's metadata. Texts there are never times. */
function metadataCondition({ json }: Target, names: readonly string[], { op, value }: FilterCondition): Condition {
  const values = readings(names).map((places) => json.at(metadata, ...places));
  /** The condition on the first reading that exists. */
  const onFirst = (condition: (at: (typeof values)[number], places: readonly string[]) => Condition): Condition =>
    anyOf(
      values.map((at, index) => {
        const earlier = values.slice(0, index).map(({ isPresent: isThere }) => negated(isThere));
        return allOf([...earlier, sure(condition(at, readings(names)[index] ?? []))]);
      }),
    );
  const equals = (at: (typeof values)[number], other: FilterValue): Condition => {
    if (typeof other === 'number') return json.compareNumber(at.number, '=', other);
    if (typeof other === 'boolean') return at.is(other);
    return allOf([at.isText, json.compareText(at.text, '=', other)]);
  };
  const order = (operator: JsonOperator): Condition =>
    onFirst((at) => {
      if (typeof value === 'number') return json.compareNumber(at.number, operator, value);
      return typeof value === 'string' ? allOf([at.isText, json.compareText(at.text, operator, value)]) : never;
    });
  // Values of the same type share one comparison, because each comparison binds all names of the path.
  const isAmong = (at: (typeof values)[number], others: readonly FilterValue[]): Condition => {
    const texts = others.filter((other) => typeof other === 'string');
    const numbers = others.filter((other) => typeof other === 'number');
    const flags = new Set(others.filter((other) => typeof other === 'boolean'));
    return anyOf([
      ...(texts.length === 0 ? [] : [allOf([at.isText, json.isTextAmong(at.text, texts)])]),
      ...(numbers.length === 0 ? [] : [json.isNumberAmong(at.number, numbers)]),
      ...[...flags].map((flag) => at.is(flag)),
    ]);
  };
  if (Array.isArray(value)) return op === 'in' ? onFirst((at) => isAmong(at, value)) : never;
  switch (op) {
    case 'exists':
      return value === true
        ? onFirst(({ isNotNull: exists }) => exists)
        : negated(onFirst(({ isNotNull: exists }) => exists));
    case 'eq':
      return onFirst((at) => equals(at, value));
    case 'ne':
      return negated(onFirst((at) => equals(at, value)));
    case 'gt':
      return order('>');
    case 'gte':
      return order('>=');
    case 'lt':
      return order('<');
    case 'lte':
      return order('<=');
    case 'contains':
      return onFirst((at, places) => {
        const element = json.some(metadata, places, (each) => sure(equals(each, value)));
        const inList = allOf([sure(at.isList), element]);
        if (typeof value !== 'string') return inList;
        return anyOf([sure(allOf([at.isText, value === '' ? always : json.contains(at.text, value)])), inList]);
      });
    case 'starts_with':
      return typeof value !== 'string'
        ? never
        : onFirst((at) => allOf([at.isText, value === '' ? always : json.startsWith(at.text, value)]));
    default:
      return never;
  }
}

function eventCondition(target: Target, filter: FilterOf): Condition {
  if ('all' in filter) return allOf((filter.all as FilterOf[]).map((inner) => eventCondition(target, inner)));
  if ('any' in filter) return anyOf((filter.any as FilterOf[]).map((inner) => eventCondition(target, inner)));
  if ('not' in filter) return negated(eventCondition(target, filter.not as FilterOf));
  if (!isCondition(filter)) return always;
  return metadataCondition(target, filter.path.split('.').slice(2), filter);
}

/**
 * Whether the contact did something. The first time, the last time and the count are stored for each type; all other
 * questions read the events.
 */
export function didCondition(db: Db, target: Target, { did, since, atLeast = 1, where }: DidLeaf): Condition {
  const from = sinceTime(since, target.now);
  if (where === undefined && (from === undefined || atLeast === 1)) {
    const activity = db
      .selectFrom('contact_activity as activity')
      .select(oneRow)
      .where('activity.contact_id', '=', contactId)
      .where('activity.type', '=', did);
    return hasRow(
      from === undefined
        ? activity.where('activity.count', '>=', atLeast)
        : activity.where('activity.last_at', '>=', from),
    );
  }
  let events = db
    .selectFrom('contact_events as happened')
    .where('happened.contact_id', '=', contactId)
    .where('happened.type', '=', did);
  if (from !== undefined) events = events.where('happened.ts', '>=', from);
  if (where !== undefined) events = events.where(eventCondition(target, where));
  if (atLeast === 1) return hasRow(events.select(oneRow));
  return hasRows(
    events.select(({ fn }) => fn.countAll<number>().as('rowCount')),
    atLeast,
  );
}

/** The events of mail to an address that the condition is about, at any time. Opens and clicks count only if a person made them. */
export function mailEvents(db: Db, { send, was }: SendLeaf, address: string | typeof email) {
  let events = db
    .selectFrom('sends as sent')
    .innerJoin('send_events as report', 'report.send_id', 'sent.id')
    .where('sent.to_normalised', '=', address)
    .where('report.type', '=', `send.${was}`);
  if (send.templateKey !== undefined) events = events.where('sent.template_key', '=', send.templateKey);
  if (send.broadcastId !== undefined) events = events.where('sent.broadcast_id', '=', send.broadcastId);
  if (send.category !== undefined) events = events.where('sent.category', '=', send.category);
  if (was === 'opened' || was === 'clicked') {
    const json = jsonFunctionsOf(dialectOf(db));
    const verdict = json.at(reference('report.details'), 'bot', 'verdict');
    events = events.where(sure(allOf([verdict.isText, json.compareText(verdict.text, '=', 'human')])));
  }
  return events;
}

/** Whether the event of the condition happened to a send to the contact's address. */
export function sendCondition(db: Db, { now }: Target, leaf: SendLeaf): Condition {
  const from = sinceTime(leaf.since, now);
  const events = mailEvents(db, leaf, email).select(oneRow);
  return hasRow(from === undefined ? events : events.where('report.ts', '>=', from));
}
