// Filters: every operator, missing values, mismatched types, and the limits of the grammar.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { filterSchema } from '../../plugins/sequences/definition/filter-schema.ts';
import type { Filter } from '../../plugins/sequences/definition/schema.ts';
import { isTrue } from '../../plugins/sequences/interpreter/filter.ts';
import type { RunValues } from '../../plugins/sequences/interpreter/paths.ts';

const test = suite('filters of sequences');
const facts: RunValues = {
  now: Date.parse('2026-05-20T12:00:00Z'),
  zone: 'Europe/Vienna',
  contact: {
    id: 'con_1',
    external_id: null,
    email: 'ada@example.com',
    subscribed: true,
    attributes: {
      plan: 'pro',
      seats: 5,
      tags: ['a', 'b'],
      since: '2026-05-18',
      ends: '2026-05-22T10:00:00Z',
      'a.b': 1,
    },
  },
  event: {
    id: 'evt_1',
    type: 'order_paid',
    at: 0,
    metadata: { order: { total: 40 }, coupon: null, paid: false },
    data: null,
  },
  variables: { level: '5' },
  isMember: (id) => id === 'lst_1',
  did: ({ did }) => did === 'order_paid',
};

// [filter, expected result]
const table: readonly [Filter, boolean][] = [
  [{}, true],
  [{ all: [] }, true],
  [{ any: [] }, false],
  [{ not: {} }, false],
  [{ path: 'contact.attributes.plan', op: 'eq', value: 'pro' }, true],
  [{ path: 'contact.attributes.plan', op: 'ne', value: 'pro' }, false],
  [{ path: 'contact.attributes.a.b', op: 'eq', value: 1 }, true],
  [{ path: 'contact.email', op: 'contains', value: '@example' }, true],
  [{ path: 'contact.subscribed', op: 'eq', value: true }, true],
  [{ path: 'contact.external_id', op: 'exists', value: false }, true],
  // If the types differ, a value is neither equal nor greater nor less.
  [{ path: 'contact.attributes.seats', op: 'eq', value: '5' }, false],
  [{ path: 'contact.attributes.seats', op: 'ne', value: '5' }, true],
  [{ path: 'variables.level', op: 'gte', value: 5 }, false],
  [{ path: 'variables.level', op: 'lte', value: 5 }, false],
  [{ path: 'contact.attributes.seats', op: 'gt', value: 4 }, true],
  [{ path: 'contact.attributes.seats', op: 'lt', value: 5 }, false],
  [{ path: 'contact.attributes.seats', op: 'lte', value: 5 }, true],
  [{ path: 'contact.attributes.plan', op: 'gt', value: 'free' }, true],
  // ISO times are compared as times; without an offset they are in the contact's zone.
  [{ path: 'contact.attributes.ends', op: 'eq', value: '2026-05-22T12:00:00+02:00' }, true],
  [{ path: 'contact.attributes.ends', op: 'lte', value: '2026-05-22T12:00' }, true],
  [{ path: 'contact.attributes.ends', op: 'gt', value: '2026-05-22T12:00' }, false],
  [{ path: 'contact.attributes.plan', op: 'in', value: ['free', 'pro'] }, true],
  [{ path: 'contact.attributes.seats', op: 'in', value: ['5'] }, false],
  [{ path: 'contact.attributes.tags', op: 'contains', value: 'b' }, true],
  [{ path: 'contact.attributes.tags', op: 'contains', value: 'c' }, false],
  [{ path: 'contact.attributes.plan', op: 'starts_with', value: 'pr' }, true],
  [{ path: 'contact.attributes.since', op: 'within_days', value: 3 }, true],
  [{ path: 'contact.attributes.since', op: 'within_days', value: 2 }, false],
  [{ path: 'contact.attributes.since', op: 'older_than_days', value: 2 }, true],
  [{ path: 'contact.attributes.ends', op: 'within_days', value: 30 }, false],
  [{ path: 'contact.attributes.ends', op: 'older_than_days', value: 0 }, false],
  [{ path: 'event.metadata.order.total', op: 'gte', value: 40 }, true],
  [{ path: 'event.metadata.paid', op: 'exists', value: true }, true],
  [{ path: 'event.metadata.coupon', op: 'exists', value: true }, false],
  [{ path: 'list.lst_1', op: 'exists', value: true }, true],
  [{ path: 'list.lst_2', op: 'exists', value: false }, true],
  // For a missing value only ne and exists false are true.
  ...(['eq', 'gt', 'gte', 'lt', 'lte', 'contains', 'starts_with'] as const).map((op): [Filter, boolean] => [
    { path: 'contact.attributes.none', op, value: 'x' },
    false,
  ]),
  [{ path: 'contact.attributes.none', op: 'ne', value: 'x' }, true],
  [{ path: 'contact.attributes.none', op: 'in', value: ['x'] }, false],
  [{ path: 'contact.attributes.constructor', op: 'exists', value: true }, false],
  [{ path: 'event.data.anything', op: 'exists', value: false }, true],
  [{ did: 'order_paid', since: 'run', atLeast: 2 }, true],
  [{ not: { did: 'project_created', since: 'P30D' } }, true],
];
for (const [filter, expected] of table)
  test(`${JSON.stringify(filter)} is ${expected}`, () => {
    assert.equal(filterSchema.parse(filter), filter);
    assert.is(isTrue(filter, facts), expected);
  });

const nested = (levels: number): Filter => (levels === 1 ? {} : { not: nested(levels - 1) });
const many = (conditions: number): Filter => ({
  all: Array.from({ length: conditions }, () => ({ path: 'contact.email', op: 'exists' as const, value: true })),
});

test('nesting and the number of conditions are limited', () => {
  assert.ok(filterSchema.safeParse(nested(5)).success);
  assert.not(filterSchema.safeParse(nested(6)).success);
  assert.ok(filterSchema.safeParse(many(50)).success);
  assert.not(filterSchema.safeParse(many(51)).success);
  assert.not(filterSchema.safeParse({ all: [many(30), many(30)] }).success);
  const where = { all: Array.from({ length: 25 }, () => ({ path: 'event.metadata.x', op: 'eq', value: 1 })) };
  assert.ok(filterSchema.safeParse({ did: 'paid', where }).success);
  assert.not(
    filterSchema.safeParse({
      all: [
        { did: 'paid', where },
        { did: 'paid', where },
      ],
    }).success,
  );
  assert.not(filterSchema.safeParse({ not: { not: { did: 'paid', where: nested(3) } } }).success);
});

test('invalid filters are refused', () => {
  const condition = { path: 'contact.email', op: 'eq', value: 'x' };
  for (const wrong of [
    { ...condition, path: 'contact.password' },
    { ...condition, path: 'list.lst_1' },
    { ...condition, op: 'matches' },
    { ...condition, value: null },
    { ...condition, value: 'x'.repeat(501) },
    { ...condition, value: ['x'] },
    { ...condition, op: 'in', value: 'x' },
    { ...condition, op: 'in', value: Array.from({ length: 101 }, () => 'x') },
    { ...condition, op: 'exists', value: 'yes' },
    { ...condition, op: 'within_days', value: -1 },
    { ...condition, not: {} },
    { all: [{}], any: [{}] },
    { all: {} },
    { neither: [] },
    { did: '' },
    { did: 'paid', since: 'run', path: 'contact.email' },
    { did: 'paid', since: 'previous_wait' },
    { did: 'paid', since: '-P1D' },
    { did: 'paid', atLeast: 0 },
    { did: 'paid', where: { path: 'event.data.total', op: 'gt', value: 5 } },
    { did: 'paid', where: { all: [{ did: 'paid' }] } },
  ])
    assert.not(filterSchema.safeParse(wrong).success, JSON.stringify(wrong));
});

test('Liquid in a value is refused, because it would be compared literally', () => {
  const withValue = (value: unknown) => ({
    path: 'contact.attributes.plan',
    op: Array.isArray(value) ? 'in' : 'eq',
    value,
  });
  for (const value of ['{{ event.metadata.plan }}', 'a {% if b %}', ['pro', '{{variables.plan}}']]) {
    const { error } = filterSchema.safeParse({ all: [withValue(value)] });
    assert.match(JSON.stringify(error?.issues), /Liquid in it is not rendered/, String(value));
  }
  for (const value of ['{ a }', '50 %', ['{', '}']]) assert.ok(filterSchema.safeParse(withValue(value)).success);
});

test.run();
