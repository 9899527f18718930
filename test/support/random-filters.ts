// Random contacts with hostile attributes, and random filters for them. The same seed gives the same values.
import { filterOperators } from '../../core/contract/schemas/filters.ts';
import type { DidLeaf, SegmentFilter } from '../../plugins/segments/filter-schema.ts';
import { randomOf } from './random-sequences.ts';

/** The lists and topics that random filters name. */
export interface RandomFilterNames {
  readonly lists: readonly string[];
  readonly topics: readonly string[];
}

export const eventTypes = ['order.placed', 'seen', 'it\'s "odd"', 'never'] as const;
export const templateKeys = ['welcome', 'news', 'Welcome'] as const;
export const broadcastIds = ['brc_01JD3Q5S8ZK2M4N6P8R0T2V4W6', 'brc_01JD3Q5S8ZK2M4N6P8R0T2V4W7'] as const;

const attributeNames = [
  'plan',
  'Plan',
  'a.b',
  'a',
  'say "hi"',
  'back\\slash',
  '$',
  '$.plan',
  '[0]',
  '*',
  'ü',
  'u\u0308',
  '😀 face',
  "it's",
  'constructor',
  'visits',
  'timezone',
  'missing everywhere',
  '%',
  '{}',
];

const zones = [
  'Europe/Vienna',
  'America/New_York',
  'Pacific/Apia',
  'Asia/Kathmandu',
  '+05:45',
  'UTC',
  'no zone',
  'Australia/Lord_Howe',
];

const texts = [
  '',
  ' ',
  'pro',
  'Pro',
  'PRO',
  'pro ',
  ' pro',
  'pré',
  'pre\u0301',
  'straße',
  'STRASSE',
  'ﬀ',
  'ı',
  'I',
  '😀',
  '😁',
  '\uffee',
  '\ue000',
  '\u{10ffff}',
  'a\nb',
  'a\tb',
  'a\\b',
  '"',
  "'",
  "''; --",
  '%',
  '_',
  'p%',
  'p_o',
  '5',
  '5.0',
  'true',
  'null',
  'z'.repeat(300),
  '\u200d',
  '\u0001',
  '2026-05-18',
  '2026-05-18T00:00',
  '2026-05-18T00:00:00Z',
  '2026-05-17T22:00:00Z',
  '2026-05-18T00:00:00+02:00',
  '2026-05-18 00:00',
  '2026-05-18T00:00:00.0009Z',
  '2026-02-30',
  '2026-13-01',
  '2026-10-25T02:30',
  '2026-10-25T02:30:00+01:00',
  '2026-10-25T00:30:00Z',
  '2026-10-25T01:30:00Z',
  '2026-03-29T02:30',
  '2026-03-29T03:00',
  '2026-03-29T01:00:00Z',
  '2011-12-30',
  '2011-12-31',
  '2026-11-29',
  '2026-11-01',
  '2030-01-01',
  '1969-12-31T23:59:59.999Z',
  '0001-01-01',
  '9999-12-31T23:59:59+14:00',
  '2026-5-18',
  '20260518',
  '2026-04-05T01:45',
];

const numbers = [
  0,
  -0,
  1,
  -1,
  5,
  5.5,
  0.1,
  0.30000000000000004,
  0.3,
  1e21,
  1e-7,
  9007199254740991,
  9007199254740992,
  9007199254740994,
  Number('12345678901234567890'),
  1.7976931348623157e308,
  5e-324,
  -5e-324,
  2147483648,
  4294967296.5,
  2 ** 63,
  2 ** 63 - 1024,
  -(2 ** 63),
  100,
  30,
];

type Pick = <T>(values: readonly T[]) => T;
const pickerOf =
  (random: () => number): Pick =>
  (values) =>
    values[Math.floor(random() * values.length)] as (typeof values)[number];

/** Values of every type, including types that only damaged rows have */
function randomValue(random: () => number, pick: Pick): unknown {
  const kind = random();
  if (kind < 0.5) return pick(texts);
  if (kind < 0.7) return pick(numbers);
  if (kind < 0.78) return random() < 0.5;
  if (kind < 0.97)
    return Array.from({ length: Math.floor(random() * 4) }, () => pick([...texts, ...numbers, true, false]));
  return pick<unknown>([{ a: 1, b: 'x' }, [['a', 1]], [null, 'pro'], {}, null]);
}

export interface RandomContact {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly external_id: string | null;
}

export function randomContact(random: () => number, index: number): RandomContact {
  const pick = pickerOf(random);
  const attributes: Record<string, unknown> = {};
  for (const name of attributeNames)
    if (random() < 0.45 && name !== 'missing everywhere') attributes[name] = randomValue(random, pick);
  if (random() < 0.7) attributes['timezone'] = pick(zones);
  const external_id = random() < 0.3 ? null : `${pick(texts).slice(0, 40)}${index}`;
  return { attributes, external_id: index === 0 ? '2026-05-18' : external_id };
}

/** Metadata of an event, with names that paths can read in several ways. */
export function randomMetadata(random: () => number): Readonly<Record<string, unknown>> {
  const pick = pickerOf(random);
  const some = () => randomValue(random, pick);
  return pick<Readonly<Record<string, unknown>>>([
    {},
    { total: pick(numbers), x: some() },
    { order: { total: pick(numbers), x: some() } },
    { 'order.total': some(), order: { total: some() } },
    { order: { x: null, 'total.net': some() }, 'order.x': some() },
    { order: [1, 2], x: null },
  ]);
}

/** A random filter of at most `levels` levels. */
export function randomFilter(random: () => number, names: RandomFilterNames, levels = 3): SegmentFilter {
  const pick = pickerOf(random);
  const kind = random();
  const inner = () => randomFilter(random, names, levels - 1);
  if (levels > 1 && kind < 0.15) return { all: Array.from({ length: Math.floor(random() * 4) }, inner) };
  if (levels > 1 && kind < 0.3) return { any: Array.from({ length: Math.floor(random() * 4) }, inner) };
  if (levels > 1 && kind < 0.4) return { not: inner() };
  if (kind < 0.42) return {};
  if (kind < 0.5) return randomDid(random, pick);
  if (kind < 0.58) return randomSend(random, pick);
  if (kind < 0.62) return { path: `list.${pick(names.lists)}`, op: 'exists', value: random() < 0.5 };
  if (kind < 0.66) return { path: `topic.${pick(names.topics)}`, op: 'exists', value: random() < 0.5 };
  if (kind < 0.71) return randomTime(random, pick);
  const path = pick([
    ...attributeNames.map((name) => `contact.attributes.${name}`),
    'contact.email',
    'contact.external_id',
    'contact.subscribed',
  ]);
  return { path, ...randomComparison(random, pick) };
}

type Comparison = Pick2<Extract<SegmentFilter, { op: unknown }>, 'op' | 'value'>;
type Pick2<T, K extends keyof T> = { [P in K]: T[P] };

function randomComparison(random: () => number, pick: Pick): Comparison {
  const value = () => pick<string | number | boolean>([...texts, ...texts, ...numbers, true, false]);
  const op = pick(filterOperators);
  switch (op) {
    case 'in':
      return { op, value: Array.from({ length: Math.floor(random() * 5) }, value) };
    case 'exists':
      return { op, value: random() < 0.5 };
    case 'within_days':
    case 'older_than_days':
      return { op, value: pick([0, 1, 30, 0.5, 36_500, 1 / 3, 194]) };
    case 'starts_with':
      return { op, value: [...pick(texts)].slice(0, 1 + Math.floor(random() * 9)).join('') };
    case 'contains':
      return { op, value: random() < 0.5 ? value() : [...pick(texts)].slice(1, 3).join('') };
    case 'eq':
    case 'ne':
      return { op, value: value() };
    default:
      return { op, value: pick<string | number>([...texts, ...texts, ...numbers]) };
  }
}

function randomTime(random: () => number, pick: Pick): SegmentFilter {
  const path = pick(['contact.created_at', 'contact.updated_at']);
  const op = pick(['gt', 'gte', 'lt', 'lte', 'eq', 'ne', 'within_days', 'older_than_days', 'exists'] as const);
  if (op === 'exists') return { path, op, value: random() < 0.5 };
  if (op === 'within_days' || op === 'older_than_days') return { path, op, value: pick([0, 1, 30, 365]) };
  return { path, op, value: pick(['2026-05-18T00:00:00Z', '2026-11-01T00:00:00+02:00', '1970-01-01T00:00:00Z']) };
}

const sinces = ['PT1H', 'P1D', 'P30D', 'P1M', 'P1Y', undefined] as const;

/** One comparison of an event's data, or several joined comparisons. */
function randomWhere(random: () => number, pick: Pick, levels: number): NonNullable<DidLeaf['where']> {
  const inner = () => randomWhere(random, pick, levels - 1);
  const several = () => Array.from({ length: Math.floor(random() * 4) }, inner);
  const kind = random();
  if (levels > 0 && kind < 0.2) return { all: several() };
  if (levels > 0 && kind < 0.35) return { any: several() };
  if (levels > 0 && kind < 0.4) return { not: { any: several() } };
  const path = pick([
    'event.metadata.total',
    'event.metadata.order.total',
    'event.metadata.order.x',
    'event.metadata.x',
    'event.metadata.order.total.net',
  ]);
  const compared = randomComparison(random, pick);
  const isAge = compared.op === 'within_days' || compared.op === 'older_than_days';
  const condition = isAge ? ({ path, op: 'exists', value: true } as const) : { path, ...compared };
  return random() < 0.2 ? { not: condition } : condition;
}

/** A random filter about a custom event. */
export function randomDid(random: () => number, pick: Pick = pickerOf(random)): SegmentFilter {
  const since = pick(sinces);
  const atLeast = pick([undefined, undefined, 1, 2, 3]);
  return {
    did: pick(eventTypes),
    ...(since === undefined ? {} : { since }),
    ...(atLeast === undefined ? {} : { atLeast }),
    ...(random() < 0.4 ? { where: randomWhere(random, pick, pick([1, 1, 2])) } : {}),
  };
}

function randomSend(random: () => number, pick: Pick): SegmentFilter {
  const since = pick(sinces);
  return {
    send: {
      ...(random() < 0.4 ? { templateKey: pick(templateKeys) } : {}),
      ...(random() < 0.4 ? { broadcastId: pick(broadcastIds) } : {}),
      ...(random() < 0.3 ? { category: pick(['marketing', 'transactional'] as const) } : {}),
    },
    was: pick(['sent', 'delivered', 'opened', 'clicked', 'bounced'] as const),
    ...(since === undefined ? {} : { since }),
  };
}

export { randomOf };
