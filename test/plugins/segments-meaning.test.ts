// Filters of segments where databases, JSON and JavaScript differ: each case gives the same result as an SQL statement and in an
// explanation, on each database. No statement finds a contact of another workspace or side.
import * as assert from 'uvu/assert';
import { localSpan, momentOf } from '../../core/contract/values/local-time.ts';
import { inWorkspace, readWorkspace } from '../../core/kernel/workspace-transaction.ts';
import { upsertContacts } from '../../plugins/contacts/upsert-contacts.ts';
import type { SegmentFilter } from '../../plugins/segments/filter-schema.ts';
import { eachDatabase } from '../support/databases.ts';
import { openTestService } from '../support/generated.ts';
import { randomOf } from '../support/random-filters.ts';

type Attributes = Record<string, string | number | boolean | (string | number | boolean)[]>;
type Op = Extract<SegmentFilter, { op: unknown }>['op'];
type Value = Extract<SegmentFilter, { op: unknown }>['value'];

// [title, attributes, name, op, value, expected result]
const cases: readonly (readonly [string, Attributes, string, Op, Value, boolean])[] = [
  ['case counts', { plan: 'Pro' }, 'plan', 'eq', 'pro', false],
  ['names of attributes differ by case', { Plan: 'pro' }, 'plan', 'exists', true, false],
  ['a space at the end counts', { plan: 'pro ' }, 'plan', 'eq', 'pro', false],
  ['letters with the same look differ', { plan: 'pr\u00e9' }, 'plan', 'eq', 'pre\u0301', false],
  ['a text is not a number', { seats: '5' }, 'seats', 'eq', 5, false],
  ['true is neither a text nor a number', { paid: true }, 'paid', 'in', ['true', 1, '1'], false],
  ['true is true', { paid: true }, 'paid', 'eq', true, true],
  ['a wildcard is a letter', { plan: 'pro' }, 'plan', 'contains', 'p%', false],
  ['a backslash is a letter', { plan: 'a\\b' }, 'plan', 'contains', '\\', true],
  ['emoji come after all other letters', { plan: '\u{1f600}' }, 'plan', 'gt', '\uffee', true],
  ['numbers beyond 2^53 are compared as JavaScript does', { n: 2 ** 53 }, 'n', 'eq', 2 ** 53 + 2, false],
  ['an integer beyond 2^53 equals itself', { n: 2 ** 60 }, 'n', 'eq', 2 ** 60, true],
  [
    'its last digits are rounded',
    { n: Number('1234567890123456789') },
    'n',
    'in',
    [Number('1234567890123456789')],
    true,
  ],
  ['the largest number is compared', { n: Number.MAX_VALUE }, 'n', 'gt', 1e308, true],
  ['tenths are not rounded', { n: 0.1 + 0.2 }, 'n', 'gt', 0.3, true],
  ['a name may contain quotes', { 'say "hi"': 1 }, 'say "hi"', 'eq', 1, true],
  ['a name may contain a backslash', { 'a\\b': 1 }, 'a\\b', 'eq', 1, true],
  ['a name may look like a path', { '$.plan': 1, plan: 2 }, '$.plan', 'eq', 1, true],
  ['a name with a dot is one name', { 'a.b': 1 }, 'a.b', 'eq', 1, true],
  ['an attribute is not a method', {}, 'constructor', 'exists', true, false],
  ['an element of a list is found', { tags: ['a', 5, true] }, 'tags', 'contains', 5, true],
  ['an element of another type is not found', { tags: ['5'] }, 'tags', 'contains', 5, false],
  ['a list does not equal its element', { tags: ['a'] }, 'tags', 'eq', 'a', false],
  ['a time is equal in any offset', { at: '2026-05-18T00:00:00Z' }, 'at', 'eq', '2026-05-18T02:00:00+02:00', true],
  [
    'times in lists are compared as times',
    { at: ['x', '2026-05-18T00:00:00Z'] },
    'at',
    'contains',
    '2026-05-18T02:00:00+02:00',
    true,
  ],
  [
    'a time without offset is local',
    { at: '2026-05-18', timezone: 'Europe/Vienna' },
    'at',
    'eq',
    '2026-05-17T22:00:00Z',
    true,
  ],
  [
    'the time of the filter is local, too',
    { at: '2026-05-17T22:00:00Z', timezone: 'Europe/Vienna' },
    'at',
    'eq',
    '2026-05-18',
    true,
  ],
  ['without a time zone it is UTC', { at: '2026-05-17T22:00:00Z' }, 'at', 'lt', '2026-05-18', true],
  [
    'a skipped hour is the next existing time',
    { at: '2026-03-29T01:00:00Z', timezone: 'Europe/Vienna' },
    'at',
    'eq',
    '2026-03-29T02:30',
    true,
  ],
  [
    'an hour that occurs twice is its first occurrence',
    { at: '2026-10-25T01:30:00Z', timezone: 'Europe/Vienna' },
    'at',
    'gt',
    '2026-10-25T02:45',
    true,
  ],
  ['a date that does not exist is a text', { at: '2026-02-30' }, 'at', 'within_days', 36_500, false],
  ['a future time is not within any days', { at: '9999-01-01' }, 'at', 'within_days', 36_500, false],
  ['an offset may be whole hours', { at: '2026-05-18 02:00:00+02' }, 'at', 'eq', '2026-05-18T00:00:00Z', true],
  ['the year 1 is not 1901', { at: '0001-01-01T00:00:00Z' }, 'at', 'lt', '0050-01-01T00:00:00Z', true],
  [
    'the year 1 is not 1901 in a time zone, either',
    { at: '0001-01-02T00:00:00', timezone: 'Asia/Kathmandu' },
    'at',
    'eq',
    '0001-01-02T00:00:00',
    true,
  ],
  ['a leap second is a time', { at: '2016-12-31T23:59:60Z' }, 'at', 'eq', '2017-01-01T00:00:00Z', true],
  ['a missing value is not equal', {}, 'plan', 'ne', 'pro', true],
  ['an empty list contains no value', { plan: 'pro' }, 'plan', 'in', [], false],
];

await eachDatabase('the meaning of segment filters', (test, database) => {
  let kit: Awaited<ReturnType<typeof openTestService>>;
  test.before(async () => {
    kit = await openTestService(database);
  });
  test.after(() => kit.close());
  const calls = () => kit.service.as(kit.workspaceId);

  for (const [index, [title, attributes, name, op, value, expected]] of cases.entries())
    test(`${title}: ${name} ${op} ${JSON.stringify(value)} is ${expected}`, async () => {
      const external_id = `case-${index}`;
      const { id } = await calls().contacts.upsert({ external_id, attributes });
      const filter: SegmentFilter = {
        all: [
          { path: 'contact.external_id', op: 'eq', value: external_id },
          { path: `contact.attributes.${name}`, op, value },
        ],
      };
      assert.is((await calls().segments.preview({ filter })).contactCount, expected ? 1 : 0);
      const { segmentId } = await calls().segments.create({ name: `Case ${index}`, filter });
      assert.is((await calls().segments.explain({ segmentId, contactId: id })).inSegment, expected);
    });

  test('the address of an erased person is unsubscribed in an SQL statement, too', async () => {
    const email = 'left@example.com';
    const first = await calls().contacts.upsert({ email });
    await calls().suppressions.create({ email, reason: 'manual' });
    await calls().contacts.delete({ contactId: first.id });
    await kit.drain();
    const { id, subscribed } = await calls().contacts.upsert({ email });
    assert.is(subscribed, false);
    const filter = {
      all: [
        { path: 'contact.email', op: 'eq' as const, value: email },
        { path: 'contact.subscribed', op: 'eq' as const, value: false },
      ],
    };
    const { sample } = await calls().segments.preview({ filter });
    assert.equal(
      sample?.map(({ contactId }) => contactId),
      [id],
    );
  });

  test('a statement finds no contact, event, membership or send of another workspace or side', async () => {
    const { lists } = calls();
    const { listId } = await lists.create({ name: 'News' });
    const otherWorkspace = await kit.service.workspaces.create({
      name: 'Other',
      defaultFrom: { email: 'hello@other.example', name: 'Other' },
    });
    const sandbox = kit.service.as(kit.workspaceId, { sandbox: true });
    for (const otherCalls of [kit.service.as(otherWorkspace.id), sandbox]) {
      const { id } = await otherCalls.contacts.upsert({ external_id: 'same', attributes: { elsewhere: true } });
      await otherCalls.events.emit({ type: 'only.elsewhere', contact: { id } });
    }
    await calls().contacts.upsert({ external_id: 'same' });
    const countOf = async (filter: SegmentFilter) => (await calls().segments.preview({ filter })).contactCount;
    assert.is(await countOf({ path: 'contact.external_id', op: 'eq', value: 'same' }), 1);
    assert.is(await countOf({ path: 'contact.attributes.elsewhere', op: 'eq', value: true }), 0);
    assert.is(await countOf({ did: 'only.elsewhere' }), 0);
    assert.is(await countOf({ did: 'only.elsewhere', where: {} }), 0);
    assert.is(await countOf({ path: `list.${listId}`, op: 'exists', value: true }), 0);
    assert.is((await sandbox.segments.preview({ filter: { did: 'only.elsewhere' } })).contactCount, 1);
  });

  test('stored times change with every change of a contact: imports, another time zone, attributes from a form', async () => {
    const filterFor = (value: string): SegmentFilter => ({
      all: [
        { path: 'contact.external_id', op: 'eq', value: 'mover' },
        { path: 'contact.attributes.at', op: 'eq', value },
      ],
    });
    const count = async (value: string) => (await calls().segments.preview({ filter: filterFor(value) })).contactCount;
    const workspace = await readWorkspace(kit.service.core, kit.workspaceId);
    const reference = { external_id: 'mover' };
    const [row] = await inWorkspace(kit.service.core, workspace, (ctx) =>
      upsertContacts(ctx, [{ reference, attributes: { at: '2026-05-18', timezone: 'Europe/Vienna' } }]),
    );
    assert.is(await count('2026-05-17T22:00:00Z'), 1);
    await calls().contacts.upsert({ ...reference, attributes: { timezone: 'America/New_York' } });
    assert.equal([await count('2026-05-17T22:00:00Z'), await count('2026-05-18T04:00:00Z')], [0, 1]);
    await calls().contacts.upsert({ ...reference, attributes: { at: null } });
    assert.is(await count('2026-05-18T04:00:00Z'), 0);
    await inWorkspace(kit.service.core, workspace, async (ctx) => {
      const id = row !== undefined && 'id' in row ? row.id : '';
      await ctx.services.contacts.addAttributes(ctx, id, { at: '2026-05-18' });
    });
    assert.is(await count('2026-05-18T04:00:00Z'), 1);
  });

  test('if two segments begin to name each other while one is deleted, each call gets an answer', async () => {
    const send = async (segmentId: string, method: string, body?: object): Promise<number> => {
      const { status } = await kit.request(`/v1/segments/${segmentId}`, { method, ...(body && { body }) });
      return status;
    };
    for (let round = 0; round < 5; round += 1) {
      const [one = '', other = ''] = await Promise.all(
        ['One', 'Other'].map(
          async (name) => (await calls().segments.create({ name: `${name} ${round}`, filter: {} })).segmentId,
        ),
      );
      const [first, second, deleted] = await Promise.all([
        send(one, 'PATCH', { filter: { segment: other } }),
        send(other, 'PATCH', { filter: { segment: one } }),
        send(other, 'DELETE'),
      ]);
      // If the first update succeeds, the second is refused as a cycle, and the deletion because of the use. Or the deletion comes first.
      const answers = [first, second, deleted].join();
      assert.ok(
        ['200,422,409', '422,200,200', '404,200,200', '404,404,200', '422,404,200'].includes(answers),
        `${answers} in round ${round}`,
      );
    }
  });

  test('comparing an instant with a range of local times gives the same result as comparing it with each local time', () => {
    const random = randomOf(7);
    const around = ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2011-12-30T10:00:00Z', '2026-04-04T15:00:00Z'].map(
      Date.parse,
    );
    for (const zone of ['Europe/Vienna', 'Pacific/Apia', 'Australia/Lord_Howe', '+05:45', 'UTC'])
      for (let index = 0; index < 100; index += 1) {
        const base = around[index % around.length] ?? 0;
        const at = base + Math.floor((random() - 0.5) * 4 * 60) * 60_000 + (index % 3 === 0 ? 0 : index);
        const { from, to } = localSpan(zone, at);
        const local = at + Math.floor((random() - 0.5) * 30 * 60) * 60_000;
        const moment = momentOf(zone, local);
        assert.equal([local <= to, local >= from], [at >= moment, at <= moment], `${zone} ${at} ${local}`);
      }
  });
});
