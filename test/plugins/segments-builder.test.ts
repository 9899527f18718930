// The form that builds a segment in the console: a filter keeps its meaning when it passes through the form, and a marketer creates and
// changes a segment with the buttons of the page alone.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leavesOf } from '../../core/unstable.ts';
import { draftIn, draftOf, filterOfDraft, kinds } from '../../plugins/segments/console/builder/draft.ts';
import { draftFields } from '../../plugins/segments/console/builder/fields.ts';
import type { ProposedNames } from '../../plugins/segments/console/builder/kinds.ts';
import { sentenceOf } from '../../plugins/segments/console/sentence.ts';
import { type DidLeaf, isDid, type SegmentFilter } from '../../plugins/segments/filter-schema.ts';
import { type ContactFacts, isTrueFor } from '../../plugins/segments/interpret.ts';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';
import { fieldsInForm, formWith } from '../support/html-form.ts';
import { randomContact, randomDid, randomFilter, randomOf } from '../support/random-filters.ts';

const test = suite<{ bench: ConsoleBench }>('building a segment in the console');

test.before.each(async (context) => {
  context.bench = await openConsoleBench();
});
test.after.each(({ bench }) => bench.close());

const nothingKnown: ProposedNames = {
  lists: [],
  topics: [],
  segments: [],
  templates: [],
  broadcasts: [],
  attributes: [],
  events: [],
};

/** The filter after a round trip: as a draft, as the fields of the form, and as a filter again. */
function throughForm(filter: SegmentFilter): SegmentFilter {
  const form = draftFields(draftOf(filter), { known: nothingKnown, faults: [] });
  const { filter: back, faults } = filterOfDraft(draftIn(fieldsInForm(form.html)));
  assert.equal(faults, [], JSON.stringify(filter));
  return back;
}

const lists = ['lst_01JD3Q5S8ZK2M4N6P8R0T2V4W6', 'lst_01JD3Q5S8ZK2M4N6P8R0T2V4W7'];
const topics = ['offers', 'news'];

function factsOf(random: () => number, index: number): ContactFacts {
  const now = Date.UTC(2026, 10, 20, 12);
  const { attributes, external_id: externalId } = randomContact(random, index);
  const type = ['order.placed', 'seen'][index % 2] ?? '';
  const ts = now - Math.floor(random() * 60 * 86_400_000);
  const send = {
    templateKey: 'welcome',
    broadcastId: null,
    category: 'marketing',
    type: 'send.opened',
    ts,
    isHuman: true,
  };
  return {
    now,
    zone: 'UTC',
    email: `c${index}@example.com`,
    externalId: externalId ?? null,
    attributes,
    createdAt: ts,
    updatedAt: now,
    isSubscribed: index % 3 === 0,
    lists: new Set(lists.slice(index % 3)),
    topics: new Set(topics.slice(index % 2)),
    activity: new Map([[type, { first: ts, last: ts, count: 1 + (index % 3) }]]),
    events: [{ type, ts, metadata: { total: index, plan: 'pro' } }],
    sends: index % 2 === 0 ? [send] : [],
  };
}

/** The number of event conditions with several comparisons of the event's data, and the number of these that the form can change. */
function severalData(filter: SegmentFilter) {
  const several = leavesOf(filter).filter((leaf) => isDid(leaf) && leaf.where !== undefined && !isPlain(leaf.where));
  const drafts = several.flatMap((leaf) => draftOf(leaf as SegmentFilter).groups[0]?.conditions ?? []);
  return { count: several.length, editable: drafts.filter(({ kind }) => kind === 'did').length };
}

/** True if the data is compared only once. */
const isPlain = (where: NonNullable<DidLeaf['where']>): boolean =>
  'path' in where || ('not' in where && 'path' in where.not);

test('2,000 random filters give the same result for 30 contacts after they have passed through the form, and each has a sentence', () => {
  const random = randomOf(40);
  const contacts = Array.from({ length: 30 }, (_, index) => factsOf(random, index));
  const several = { count: 0, editable: 0 };
  for (let count = 0; count < 2_000; count += 1) {
    const filter = count % 4 === 0 ? randomDid(random) : randomFilter(random, { lists, topics }, 4);
    const data = severalData(filter);
    several.count += data.count;
    several.editable += data.editable;
    const back = throughForm(filter);
    for (const facts of contacts)
      assert.is(
        isTrueFor(back, new Map(), facts),
        isTrueFor(filter, new Map(), facts),
        JSON.stringify({ filter, back }),
      );
    assert.match(sentenceOf(filter, new Map()), /^(Contacts where .+|Every contact|Nobody)\.$/s);
  }
  assert.ok(
    several.editable >= 10,
    `${several.editable} of ${several.count} conditions with several comparisons can be changed`,
  );
});

// [the kind of condition, filter, sentence]
const sentenceCases: readonly (readonly [string, SegmentFilter, string])[] = [
  ['an attribute', { path: 'contact.attributes.plan', op: 'eq', value: 'pro' }, '“plan” is “pro”'],
  [
    'one of several texts, negated',
    { not: { path: 'contact.attributes.plan', op: 'in', value: ['pro', 'team'] } },
    '“plan” is none of “pro”, “team”',
  ],
  ['a number', { path: 'contact.attributes.seats', op: 'gte', value: 5 }, '“seats” is at least 5'],
  ['yes or no', { path: 'contact.attributes.trial', op: 'eq', value: true }, '“trial” is yes'],
  [
    'days ago',
    { path: 'contact.attributes.seen_at', op: 'older_than_days', value: 30 },
    '“seen_at” was longer ago than 30 days',
  ],
  [
    'a day of the service',
    { path: 'contact.created_at', op: 'gte', value: '2026-05-01T00:00:00Z' },
    'the time of creation is at least “2026-05-01T00:00:00Z”',
  ],
  ['a list, negated', { path: `list.${lists[0]}`, op: 'exists', value: false }, 'they are not on the list “News”'],
  ['a topic', { path: 'topic.offers', op: 'exists', value: true }, 'they are subscribed to “offers”'],
  [
    'an event with a count, a period and a comparison of its data',
    { did: 'order.placed', since: 'P30D', atLeast: 3, where: { path: 'event.metadata.total', op: 'gt', value: 50 } },
    'they did “order.placed” at least 3 times in the last 30 days with data where “total” is more than 50',
  ],
  [
    'an event with several comparisons of its data',
    {
      did: 'order.placed',
      since: 'P30D',
      where: {
        all: [
          { path: 'event.metadata.total', op: 'gt', value: 100 },
          { path: 'event.metadata.currency', op: 'eq', value: 'EUR' },
        ],
      },
    },
    'they did “order.placed” in the last 30 days with data where “total” is more than 100 and “currency” is “EUR”',
  ],
  [
    'an event with alternative comparisons of its data, one of them negated',
    {
      did: 'order.placed',
      where: {
        any: [
          { not: { path: 'event.metadata.coupon', op: 'contains', value: 'free' } },
          { path: 'event.metadata.items.count', op: 'in', value: [1, 2] },
          { path: 'event.metadata.gift', op: 'eq', value: true },
        ],
      },
    },
    '“coupon” does not contain “free” or “items.count” is one of 1, 2 or “gift” is yes',
  ],
  [
    'an event for which several comparisons of its data are false',
    { did: 'order.placed', where: { not: { any: [{ path: 'event.metadata.total', op: 'lt', value: 5 }] } } },
    'with data where not (“total” is less than 5)',
  ],
  [
    'an event, negated',
    { not: { did: 'signed.out', since: 'PT12H' } },
    'they did not do “signed.out” in the last 12 hours',
  ],
  [
    'mail of a template, not opened',
    { not: { send: { templateKey: 'welcome' }, was: 'opened', since: 'P2M' } },
    'they did not open mail of the template “welcome” in the last 2 months',
  ],
  ['another segment', { segment: 'sgm_01JD3Q5S8ZK2M4N6P8R0T2V4W6' }, 'they are in the segment'],
];

test('every kind of condition can be changed in the form, and is described in words', () => {
  for (const [name, filter, words] of sentenceCases) {
    const { groups } = draftOf(filter);
    assert.is(groups[0]?.conditions[0]?.kind === 'kept', false, name);
    assert.equal(throughForm(filter), filter, name);
    assert.match(sentenceOf(filter, new Map([[lists[0] ?? '', 'News']])), words, name);
  }
});

test('a condition with any two comparisons of event data, joined in any way, can be changed again', () => {
  const fields = kinds['did']?.fields({}, nothingKnown) ?? [];
  const operators = fields.find(({ name }) => name === 'dataOp')?.choices?.map(([operator]) => operator) ?? [];
  assert.ok(operators.length > 20);
  const valueFor = (operator: string) => (operator.startsWith('number') ? '7' : 'seven');
  for (const dataJoin of ['all', 'any', 'none'])
    for (const dataOp of operators)
      for (const dataOp2 of operators) {
        const first = { data: 'total', dataOp, dataValue: valueFor(dataOp) };
        const second = { data2: 'order.kind', dataOp2, dataValue2: valueFor(dataOp2) };
        const condition = { kind: 'did', values: { op: 'did', event: 'seen', dataJoin, ...first, ...second } };
        const { filter, faults } = filterOfDraft({ join: 'all', groups: [{ join: 'all', conditions: [condition] }] });
        const label = JSON.stringify({ dataJoin, dataOp, dataOp2 });
        assert.equal(faults, [], label);
        assert.is(draftOf(filter).groups[0]?.conditions[0]?.kind, 'did', label);
        assert.equal(throughForm(filter), filter, label);
      }
});

test('a condition that the form cannot change is kept, and is shown as a sentence', () => {
  const deep: SegmentFilter = {
    any: [{ did: 'a' }, { all: [{ did: 'b' }, { any: [{ did: 'c' }, { all: [{ did: 'd' }, { did: 'e' }] }] }] }],
  };
  const form = draftFields(draftOf(deep), { known: nothingKnown, faults: [] });
  assert.match(
    form.html,
    /cannot change<\/legend>[\s\S]*Contacts where they did “c” or \(they did “d” and they did “e”\)\./,
  );
  assert.equal(throughForm(deep), deep);
});

/** Presses a button of the builder, with the current values of its fields. */
async function press(bench: ConsoleBench, path: string, page: string, fields: Readonly<Record<string, string>>) {
  return bench.post(path, { ...formWith(page, 'g0.join'), ...fields });
}

test('a segment is built with the buttons of the page: conditions are added, counted, and saved', async ({ bench }) => {
  const path = '/segments/new';
  const first = await bench.page(path);
  assert.match((await bench.page('/segments')).text, 'New segment');
  assert.match(first.text, /<strong>2<\/strong> contacts now\.[\s\S]*Every contact\./);
  const added = await press(bench, path, first.text, { 'g0.add': 'attribute_text', step: 'add:0' });
  assert.is(added.status, 200);
  assert.match(added.text, 'One condition is not complete and is left out. Write the name of the attribute.');
  assert.match(added.text, /name="g0c0\.name"[^>]* autofocus/);
  assert.match(added.text, /<option value="plan">/);
  const filled = { 'g0c0.name': 'plan', 'g0c0.value': 'pro', name: 'On <pro>' };
  const counted = await press(bench, path, added.text, { ...filled, step: 'count' });
  assert.match(
    counted.text,
    /<strong>1<\/strong> contact now\.[\s\S]*Contacts where “plan” is “pro”\.[\s\S]*The newest: ada@example\.com/,
  );
  const saved = await press(bench, path, counted.text, { action: 'save' });
  assert.is(saved.status, 303);
  const { data } = await bench.calls.segments.list();
  assert.equal(
    data.map(({ name, filter }) => [name, filter]),
    [['On <pro>', { path: 'contact.attributes.plan', op: 'eq', value: 'pro' }]],
  );
  assert.match(saved.headers['Location'] ?? '', data[0]?.segmentId ?? 'none');
});

test('comparisons of event data are added row by row, and rows without a name are ignored', async ({ bench }) => {
  const path = '/segments/new';
  const first = await bench.page(path);
  const added = await press(bench, path, first.text, { 'g0.add': 'did', step: 'add:0' });
  assert.not.match(added.text, 'Of the data');
  const event = { 'g0c0.event': 'order.placed', 'g0c0.since': '30' };
  const total = { 'g0c0.data': 'total', 'g0c0.dataOp': 'number:gt', 'g0c0.dataValue': '100' };
  const more = await press(bench, path, added.text, { ...event, ...total, step: 'more:0:0' });
  assert.match(more.text, /name="g0c0\.data2"[^>]* autofocus/);
  assert.match(more.text, 'Of the data');
  const place = (metadata: Record<string, unknown>) =>
    bench.calls.events.emit({ type: 'order.placed', contact: { email: 'ada@example.com' }, metadata });
  await place({ total: 120, currency: 'USD' });
  await place({ total: 20, currency: 'EUR' });
  const currency = { 'g0c0.data2': 'currency', 'g0c0.dataOp2': 'text:eq', 'g0c0.dataValue2': 'EUR' };
  const counted = await press(bench, path, more.text, { ...currency, step: 'count' });
  assert.match(
    counted.text,
    /<strong>0<\/strong> contacts now\.[\s\S]*“total” is more than 100 and “currency” is “EUR”/,
  );
  const any = await press(bench, path, counted.text, { 'g0c0.dataJoin': 'any', step: 'count' });
  assert.match(any.text, /<strong>1<\/strong> contact now\.[\s\S]*“total” is more than 100 or “currency” is “EUR”/);
  await place({ total: 120, currency: 'EUR' });
  const third = await press(bench, path, counted.text, { step: 'more:0:0' });
  const saved = await press(bench, path, third.text, { name: 'Big spenders', action: 'save' });
  assert.is(saved.status, 303);
  const [segment] = (await bench.calls.segments.list()).data;
  assert.equal(segment?.filter, {
    did: 'order.placed',
    since: 'P30D',
    where: {
      all: [
        { path: 'event.metadata.total', op: 'gt', value: 100 },
        { path: 'event.metadata.currency', op: 'eq', value: 'EUR' },
      ],
    },
  });
  const edit = (await bench.page(`/segments/${segment?.segmentId}/edit`)).text;
  assert.match(edit, /<strong>1<\/strong> contact now\./);
  assert.match(edit, /name="g0c0\.data2" value="currency"/);
  assert.not.match(edit, 'g0c0.data3');
  for (const step of ['more:0:9', 'more:9:0', 'more:x', 'more:0:0:0'])
    assert.is((await press(bench, path, counted.text, { step })).status, 200, step);
});

test('conditions and groups can be removed, and an incomplete condition is not saved', async ({ bench }) => {
  const filter: SegmentFilter = { all: [{ did: 'a' }, { any: [{ did: 'b' }, { did: 'c' }] }] };
  const { segmentId } = await bench.calls.segments.create({ name: 'Busy', filter });
  const path = `/segments/${segmentId}/edit`;
  const page = await bench.page(path);
  const less = await press(bench, path, page.text, { step: 'remove:1:0' });
  assert.match(less.text, 'Contacts where they did “a” and they did “c”.');
  const one = await press(bench, path, less.text, { step: 'ungroup:0' });
  assert.match(one.text, 'Contacts where they did “c”.');
  const refused = await press(bench, path, one.text, { 'g0c0.event': '', action: 'save' });
  assert.is(refused.status, 422);
  assert.match(refused.text, /Nothing was changed\. 1 condition is not complete\. Write the name of the event\./);
  assert.match(refused.text, 'class="fault"');
  const saved = await press(bench, path, one.text, { action: 'save' });
  assert.is(saved.status, 303);
  assert.equal((await bench.calls.segments.read({ segmentId })).filter, { did: 'c' });
});

test('an invalid filter is reported at once, and a damaged condition can only be removed', async ({ bench }) => {
  const path = '/segments/new';
  const { text } = await bench.page(path);
  const odd = { ...formWith(text, 'g0.join'), 'g0c0.kind': 'did', 'g0c0.event': 'send.opened', step: 'count' };
  assert.match((await bench.post(path, odd)).text, /cannot be counted\.[\s\S]*is an event of the service/);
  const damaged = { ...formWith(text, 'g0.join'), 'g0c0.kind': 'kept', 'g0c0.json': '{', step: 'count' };
  assert.match((await bench.post(path, damaged)).text, 'This condition is damaged. Remove it.');
  const unknown = { ...formWith(text, 'g0.join'), 'g0c0.kind': 'constructor', step: 'count' };
  assert.match((await bench.post(path, unknown)).text, 'Remove this condition: its kind is unknown.');
});

test('a person who may only read sees the sentence but no form, and the sandbox side counts contacts but cannot save', async ({
  bench,
}) => {
  const { segmentId } = await bench.calls.segments.create({ name: 'All', filter: { did: 'order <b>' } });
  bench.signIn.present = bench.member(['lists:read', 'contacts:read']);
  const { text } = await bench.page(`/segments/${segmentId}`);
  assert.match(text, 'Contacts where they did “order &lt;b&gt;”.');
  assert.not.match(text, `segments/${segmentId}/edit`);
  assert.not.match(text, 'Delete the segment');
  assert.is((await bench.page(`/segments/${segmentId}/edit`)).status, 403);
  assert.is((await bench.page('/segments/new')).status, 403);
  bench.signIn.present = bench.member();
  const sandbox = await bench.page('/segments/new?side=sandbox');
  assert.match(sandbox.text, /<strong>0<\/strong> contacts now\.[\s\S]*Change to live to save\./);
  assert.not.match(sandbox.text, 'Create the segment');
});

test('a segment is deleted after a question', async ({ bench }) => {
  const { segmentId } = await bench.calls.segments.create({ name: 'Old', filter: {} });
  assert.match((await bench.page(`/segments/${segmentId}`)).text, 'The segment “Old” is deleted. Its contacts stay.');
  const deletion = await bench.post(`/segments/${segmentId}`, { action: 'delete', key: 'k1' });
  assert.match(deletion.text, 'The segment was deleted.');
  assert.equal((await bench.calls.segments.list()).data, []);
});

test.run();
