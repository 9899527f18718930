// A filter of a segment as one sentence for people. Pure.
import { counted, type FilterCondition, type FilterValue, isCondition } from '../../../core/unstable.ts';
import { type DidLeaf, isDid, isSegment, isSend, type SegmentFilter, type SendLeaf } from '../filter-schema.ts';

/** The names of lists, topics, segments and broadcasts by id or key. */
export type Names = ReadonlyMap<string, string>;

const quoted = (text: string): string => `“${text.length > 80 ? `${text.slice(0, 79)}…` : text}”`;
const valueWords = (value: FilterValue): string =>
  typeof value === 'string' ? quoted(value) : typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);

const fieldWords: Readonly<Record<string, string>> = {
  'contact.email': 'the address',
  'contact.external_id': 'the external id',
  'contact.subscribed': '“gets marketing mail”',
  'contact.created_at': 'the time of creation',
  'contact.updated_at': 'the time of the last change',
};

/** The name of a value: of an attribute, a field of the contact, or the data of an event. */
const nameOf = (path: string): string =>
  fieldWords[path] ?? quoted(path.replace(/^(contact\.attributes|event\.metadata)\./, ''));

const operatorWords: Readonly<Record<FilterCondition['op'], readonly [string, string]>> = {
  eq: ['is', 'is not'],
  ne: ['is not', 'is'],
  gt: ['is more than', 'is not more than'],
  gte: ['is at least', 'is not at least'],
  lt: ['is less than', 'is not less than'],
  lte: ['is at most', 'is not at most'],
  in: ['is one of', 'is none of'],
  contains: ['contains', 'does not contain'],
  starts_with: ['begins with', 'does not begin with'],
  exists: ['is known', 'is not known'],
  within_days: ['was in the last', 'was not in the last'],
  older_than_days: ['was longer ago than', 'was not longer ago than'],
};

function comparison({ path, op, value }: FilterCondition, names: Names, isNegated: boolean): string {
  const [kind = '', key = ''] = /^(list|topic)\.(.*)$/.exec(path)?.slice(1) ?? [];
  const isFalse = (op === 'exists' && value === false) !== isNegated;
  if (kind === 'list') return `they are ${isFalse ? 'not ' : ''}on the list ${quoted(names.get(key) ?? key)}`;
  if (kind === 'topic') return `they are ${isFalse ? 'not ' : ''}subscribed to ${quoted(names.get(key) ?? key)}`;
  if (op === 'exists') return `${nameOf(path)} ${operatorWords.exists[isFalse ? 1 : 0]}`;
  const words = operatorWords[op][isNegated ? 1 : 0];
  if (op === 'within_days' || op === 'older_than_days')
    return `${nameOf(path)} ${words} ${counted(Number(value), 'day')}`;
  const values = [value].flat();
  return `${nameOf(path)} ${words} ${values.length === 0 ? 'nothing' : values.map(valueWords).join(', ')}`;
}

/** `P30D` as `30 days`; other durations stay as they are. */
function spanWords(since: string | undefined): string {
  if (since === undefined) return '';
  const [, hours] = /^PT(\d+)H$/.exec(since) ?? [];
  const [, count, letter] = /^P(\d+)([DM])$/.exec(since) ?? [];
  if (hours !== undefined) return ` in the last ${counted(Number(hours), 'hour')}`;
  return ` in the last ${count === undefined ? since : counted(Number(count), letter === 'M' ? 'month' : 'day')}`;
}

function didWords({ did, since, atLeast = 1, where }: DidLeaf, names: Names, isNegated: boolean): string {
  const often = atLeast > 1 ? ` at least ${counted(atLeast, 'time')}` : '';
  const data = where === undefined ? '' : ` with data where ${clause(where as SegmentFilter, names)}`;
  return `they did ${isNegated ? 'not do ' : ''}${quoted(did)}${often}${spanWords(since)}${data}`;
}

const outcomeWords: Readonly<Record<SendLeaf['was'], readonly [string, string]>> = {
  sent: ['they were sent', 'they were not sent'],
  delivered: ['they received', 'they did not receive'],
  opened: ['they opened', 'they did not open'],
  clicked: ['they clicked in', 'they did not click in'],
  bounced: ['they had bounced', 'they had no bounced'],
};

function sendWords({ send, was, since }: SendLeaf, names: Names, isNegated: boolean): string {
  const { templateKey: template, broadcastId: broadcast, category } = send;
  const kind = category === undefined ? 'mail' : `${category} mail`;
  const of = [
    ...(template === undefined ? [] : [` of the template ${quoted(names.get(template) ?? template)}`]),
    ...(broadcast === undefined ? [] : [` of the broadcast ${quoted(names.get(broadcast) ?? broadcast)}`]),
  ];
  return `${outcomeWords[was][isNegated ? 1 : 0]} ${kind}${of.join('')}${spanWords(since)}`;
}

function leafWords(leaf: object, names: Names, isNegated: boolean): string {
  if (isCondition(leaf)) return comparison(leaf, names, isNegated);
  if (isDid(leaf)) return didWords(leaf, names, isNegated);
  if (isSend(leaf)) return sendWords(leaf, names, isNegated);
  if (isSegment(leaf))
    return `they are ${isNegated ? 'not ' : ''}in the segment ${quoted(names.get(leaf.segment) ?? leaf.segment)}`;
  return isNegated ? 'never' : 'always';
}

const isJoin = (filter: SegmentFilter): boolean => 'all' in filter || 'any' in filter;

/** The filter as a clause, without a capital and a full stop. */
function clause(filter: SegmentFilter, names: Names): string {
  const join = (parts: readonly SegmentFilter[], by: string): string =>
    parts.map((part) => (isJoin(part) && parts.length > 1 ? `(${clause(part, names)})` : clause(part, names))).join(by);
  if ('all' in filter) return join(filter.all as SegmentFilter[], ' and ') || 'always';
  if ('any' in filter) return join(filter.any as SegmentFilter[], ' or ') || 'never';
  if (!('not' in filter)) return leafWords(filter, names, false);
  const inner = filter.not as SegmentFilter;
  if (isJoin(inner) || 'not' in inner) return `not (${clause(inner, names)})`;
  return leafWords(inner, names, true);
}

export function sentenceOf(filter: SegmentFilter, names: Names): string {
  const words = clause(filter, names);
  if (words === 'always') return 'Every contact.';
  return words === 'never' ? 'Nobody.' : `Contacts where ${words}.`;
}
