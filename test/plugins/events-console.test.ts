// The event catalogue over the API and in the console: every event with an example, and the custom events that were recorded.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';

const test = suite<{ bench: ConsoleBench }>('the event catalogue in the console');

test.before.each(async (context) => {
  context.bench = await openConsoleBench();
});
test.after.each(({ bench }) => bench.close());

test('every event of the composed plugins is in the catalogue, with an example of its delivery', async ({ bench }) => {
  const { calls, service } = bench;
  const { data, next_cursor: next } = await calls.events.catalog({ limit: 100 });
  const rest = next === null ? [] : (await calls.events.catalog({ limit: 100, cursor: next })).data;
  const types = [...data, ...rest].map(({ type }) => type);
  assert.equal(types, [...service.core.ports.events.keys(), 'custom'].sort());
  const delivered = data.find(({ type }) => type === 'send.delivered');
  assert.is(delivered?.exampleDelivery['type'], 'send.delivered');
  assert.ok(delivered?.exampleDelivery['data']);
});

test('the page of webhooks links to the catalogue, and the catalogue links to the example of each event', async ({
  bench,
}) => {
  assert.match((await bench.page('/webhooks')).text, /href="[^"]*\/events\?side=live">All events/);
  const { text } = await bench.page('/events?search=bounced');
  assert.match(text, /events\/send\.bounced\?side=live">send\.bounced/);
  assert.not.match(text, 'blog_post.published');
  const one = await bench.page('/events/send.bounced');
  assert.match(one.text, /Example of a delivery[\s\S]*&quot;type&quot;: &quot;send\.bounced&quot;/);
  assert.match((await bench.page('/events/custom')).text, '&quot;type&quot;: &quot;order.placed&quot;');
  for (const unknown of ['send.none', 'constructor']) assert.is((await bench.page(`/events/${unknown}`)).status, 404);
});

test('custom events are listed with the number of their contacts and the last time, by side', async ({ bench }) => {
  const { calls, advanceClock } = bench;
  assert.match((await bench.page('/events')).text, 'Your product has reported no event here yet.');
  await calls.events.emit({ type: 'order.placed', contact: { email: 'ada@example.com' } });
  await calls.events.emit({ type: '<b>odd</b>', contact: { email: 'ada@example.com' } });
  advanceClock(60_000);
  for (const email of ['ada@example.com', 'grace@example.com'])
    await calls.events.emit({ type: 'order.placed', contact: { email } });
  const { types, areMore } = await calls.events.recorded();
  assert.equal(
    types.map(({ type, contacts, contactsAreMore }) => [type, contacts, contactsAreMore]),
    [
      ['<b>odd</b>', 1, false],
      ['order.placed', 2, false],
    ],
  );
  assert.is(areMore, false);
  assert.equal(
    types.map(({ lastAt }) => Date.parse(lastAt ?? '')),
    [bench.now() - 60_000, bench.now()],
  );
  const { text } = await bench.page('/events');
  assert.match(text, /&lt;b&gt;odd&lt;\/b&gt;[\s\S]*order\.placed[\s\S]*just now/);
  assert.not.match((await bench.page('/events?side=sandbox')).text, 'order.placed</span>');
  assert.match((await bench.page('/segments/new')).text, 'New segment');
});

test('a send shows its webhook deliveries to people who may see webhooks', async ({ bench }) => {
  const { calls, delivered } = bench;
  const path = `/sends/${delivered.id}`;
  assert.not.match((await bench.page(path)).text, 'Deliveries to webhooks');
  const webhook = await calls.webhooks.create({ url: 'https://shop.example/hook', events: ['send.*'] });
  const { id } = await bench.send('ada@example.com');
  await bench.drain();
  const { text } = await bench.page(`/sends/${id}`);
  assert.match(text, /Deliveries to webhooks[\s\S]*Accepted<[\s\S]*Delivered/);
  assert.match(text, `webhooks/${webhook.id}/deliveries/dlv_`);
  const other = bench.service.as(bench.foreignWorkspaceId);
  const eventIds = (await calls.sends.read({ id })).events.map((event) => event.id).join(',');
  assert.ok((await calls.webhooks.eventDeliveries({ event_ids: eventIds })).deliveries.length > 0);
  assert.equal(await other.webhooks.eventDeliveries({ event_ids: eventIds }), { deliveries: [] });
  bench.signIn.present = bench.member(['sends:read']);
  assert.not.match((await bench.page(`/sends/${id}`)).text, 'Deliveries to webhooks');
});

test('the catalogue needs its scope', async ({ bench }) => {
  bench.signIn.present = bench.member(['webhooks:manage']);
  assert.is((await bench.page('/events')).status, 403);
  assert.not.match((await bench.page('/webhooks')).text, 'All events');
  bench.signIn.present = bench.member(['contacts:read']);
  assert.is((await bench.page('/events')).status, 200);
});

test.run();
