// time-limit: 120
// A connector whose server stalls uses only its own slots. Meanwhile messages leave through other servers.
// full-run: slow
import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeliverySlots, type ReleaseSlot } from '../../plugins/email/delivery/delivery-slots.ts';
import { openConnectorBench } from '../support/connector-bench.ts';
import { twoDatabases } from '../support/databases.ts';
import { ScriptedSmtpServer } from '../support/smtp-server.ts';

const slots = suite('the slots of a mail server');

/** The lane of a message by its name. */
const laneOf = (name: string) => (name.startsWith('news') ? 'bulk' : name.startsWith('code') ? 'urgent' : 'normal');

slots('if marketing mail waits for slots, one message that is not marketing leaves before it', async () => {
  const server = new DeliverySlots();
  const order: string[] = [];
  const releases = new Map<string, ReleaseSlot | undefined>();
  const take = async (name: string): Promise<void> => {
    releases.set(name, await server.takeSlot('smtp', laneOf(name)));
    order.push(name);
  };
  const free = async (name: string): Promise<void> => {
    releases.get(name)?.(true);
    await nextTurn();
  };
  const news = [1, 2, 3, 4, 5, 6, 7].map((number) => `news ${number}`);
  const taking = [...news, 'code 1', 'code 2'].map(take);
  await nextTurn();
  assert.equal(order, [...news.slice(0, 5), 'code 1']);
  // The slot of a code passes to the next code, and the slot of marketing mail to marketing mail.
  await free('code 1');
  assert.equal(order.slice(6), ['code 2']);
  await free('news 1');
  assert.equal(order.slice(7), []);
  await free('code 2');
  await free('news 2');
  await Promise.all(taking);
  assert.equal(order.slice(7), ['news 6', 'news 7']);
});

slots('an urgent message gets the next slot before the receipts that wait', async () => {
  const server = new DeliverySlots();
  const order: string[] = [];
  const releases: (ReleaseSlot | undefined)[] = [];
  const takings = [
    'receipt 1',
    'receipt 2',
    'receipt 3',
    'receipt 4',
    'receipt 5',
    'receipt 6',
    'receipt 7',
    'code',
  ].map(async (name) => {
    releases.push(await server.takeSlot('smtp', laneOf(name)));
    order.push(name);
  });
  await nextTurn();
  assert.is(order.length, 6);
  releases[0]?.(true);
  await nextTurn();
  assert.equal(order.slice(6), ['code']);
  releases[1]?.(true);
  await Promise.all(takings);
  assert.equal(order.slice(6), ['code', 'receipt 7']);
});

slots.run();

await twoDatabases('a stalled mail server', (test, database) => {
  test('a hundred other messages leave, and the messages of the stalled server wait without counting an attempt', async () => {
    const bench = await openConnectorBench(database);
    const stalledServer = await ScriptedSmtpServer.start({ content: 'hang' });
    await bench.publish('code');
    const { host, port } = stalledServer;
    await bench.service.connectors.create(bench.workspaceId, {
      kind: 'mail',
      provider: 'smtp',
      name: 'Stalled',
      credentials: { user: 'post', pass: 'any' },
      options: { host, port },
      uses: { templates: ['receipt'] },
    });
    const recipients = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        to: `${prefix}${index}@example.com`,
        variables: { name: 'Ada' },
      }));
    const { email } = bench.service.as(bench.workspaceId);
    const { data } = await email.batch({ template: 'receipt', recipients: recipients('stuck', 40) });
    await email.batch({ template: 'code', recipients: recipients('other', 100) });
    const draining = bench.drain();
    await bench.sink.until((sink) => sink.messages.length === 100);
    const statuses = await Promise.all(
      data.map(async (item) => (await bench.readSend('id' in item ? item.id : '')).status),
    );
    assert.ok(stalledServer.hanging > 0 && stalledServer.hanging <= 5, `${stalledServer.hanging} messages hang`);
    assert.ok(
      statuses.every((status) => status === 'sent'),
      statuses.join(' '),
    );
    await stalledServer.stop();
    await draining;
    await bench.close();
  });
});
