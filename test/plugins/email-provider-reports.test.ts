// POST /inbound/mail/{provider}: what a report makes of a send, whoever the provider is; once, in any order, and in the
// workspace of the message alone.
import * as assert from 'uvu/assert';
import { emailPlugin } from '../../plugins/email/index.ts';
import { twoDatabases } from '../support/databases.ts';
import type { MailBench } from '../support/mail-bench.ts';
import { openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import type { ReportedKind, TestProvider } from '../support/provider-reports.ts';
import { clickedUrl, testProviders } from '../support/provider-reports.ts';
import { visit } from '../support/tracked-mail.ts';

const variables = { name: 'Ada' };

const ends: Readonly<
  Record<ReportedKind, { readonly type: string; readonly status: string; readonly suppresses?: string }>
> = {
  delivered: { type: 'send.delivered', status: 'delivered' },
  delayed: { type: 'send.delivery_delayed', status: 'delivery_delayed' },
  soft: { type: 'send.bounced', status: 'bounced' },
  hard: { type: 'send.bounced', status: 'bounced', suppresses: 'hard_bounce' },
  complained: { type: 'send.complained', status: 'complained', suppresses: 'complaint' },
  opened: { type: 'send.opened', status: 'sent' },
  clicked: { type: 'send.clicked', status: 'sent' },
};
const kinds = Object.keys(ends) as ReportedKind[];

await twoDatabases('reports of providers', (test, database) => {
  let bench: MailBench;
  let sent = 0;
  const providers = testProviders();
  const [first] = providers;
  const reports = providers.map(({ adapter }) => adapter);
  test.before(async () => {
    const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'email' ? emailPlugin({ reports }) : plugin));
    bench = await openMailBench(database, { plugins });
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const deliver = async (key = bench.liveKey) => {
    sent += 1;
    const to = `reported-${sent}@example.org`;
    const { body } = await bench.send('receipt', { to, variables }, { key });
    await bench.drain();
    bench.advanceClock(60_000);
    return { id: body.id as string, to, messageId: `<${body.messageId}@example.com>` };
  };
  const post = async ({ adapter, sign }: TestProvider, payload: unknown) => {
    const { headers, body } = sign(payload, bench.now());
    return (await visit(bench, `/inbound/mail/${adapter.id}`, { method: 'POST', headers, body, userAgent: '' })).status;
  };
  const suppressionOf = async (email: string) =>
    (await bench.request('/v1/suppressions?limit=100')).body.data.find((row: { email: string }) => row.email === email);
  const typesOf = (send: { events: { type: string }[] }) => send.events.map(({ type }) => type);

  for (const provider of providers) {
    test(`${provider.adapter.id}: each report has its effect, and the same one again has none`, async () => {
      for (const kind of kinds) {
        const { id, to, messageId } = await deliver();
        const payload = provider.report(kind, messageId);
        if (payload === undefined) continue;
        assert.is(await post(provider, payload), 200, kind);
        const { type, status, suppresses } = ends[kind];
        const send = await bench.readSend(id);
        const item = send.events.at(-1);
        assert.equal([item.type, send.status], [type, status], kind);
        assert.equal([send.opens, send.clicks], [kind === 'opened' ? 1 : 0, kind === 'clicked' ? 1 : 0]);
        if (kind === 'clicked') assert.is(item.click.url, clickedUrl);
        const suppression = await suppressionOf(to);
        assert.equal(
          [suppression?.reason, suppression?.send_id],
          suppresses ? [suppresses, id] : [undefined, undefined],
        );
        assert.is(await post(provider, payload), 200);
        assert.equal(await bench.readSend(id), send);
      }
    });
  }

  test('two opens are two, and no address of a reader is kept', async () => {
    const { id, messageId } = await deliver();
    for (const provider of providers.filter((one) => one.report('opened', messageId) !== undefined))
      for (const number of [1, 2]) await post(provider, provider.report('opened', messageId, number));
    const { opens, events } = await bench.readSend(id);
    assert.equal([opens, events.length], [10, 12]);
    assert.not.match(JSON.stringify(events), '198.51.100.9');
  });

  test('the order of reports does not matter: a complaint stays one, a delivery never follows a bounce', async () => {
    assert.ok(first);
    const orders: readonly (readonly [readonly ReportedKind[], string])[] = [
      [['complained', 'delivered', 'delayed', 'opened'], 'complained'],
      [['delivered', 'delayed', 'complained'], 'complained'],
      [['hard', 'delivered'], 'bounced'],
      [['delivered', 'hard'], 'bounced'],
      [['delivered', 'delayed'], 'delivered'],
    ];
    for (const [order, status] of orders) {
      const { id, messageId } = await deliver();
      for (const kind of order) await post(first, first.report(kind, messageId));
      assert.is((await bench.readSend(id)).status, status, order.join());
    }
  });

  test('a burst of the same reports at once has one effect', async () => {
    assert.ok(first);
    const { id, to, messageId } = await deliver();
    const payloads = Array.from({ length: 6 }, (_, index) =>
      first.report(index % 2 === 0 ? 'hard' : 'opened', messageId),
    );
    assert.equal(new Set(await Promise.all(payloads.map((payload) => post(first, payload)))), new Set([200]));
    const types = typesOf(await bench.readSend(id))
      .slice(2)
      .sort();
    assert.equal(types, ['send.bounced', 'send.opened']);
    assert.is((await suppressionOf(to)).reason, 'hard_bounce');
  });

  test('unsigned is 401 and changes nothing; a message of nobody is 200; an unknown provider is 404', async () => {
    const { id, messageId } = await deliver();
    const before = await bench.readSend(id);
    for (const provider of providers) {
      const { id: name } = provider.adapter;
      const body = JSON.stringify(provider.report('delivered', messageId));
      assert.is((await visit(bench, `/inbound/mail/${name}`, { method: 'POST', body })).status, 401, name);
      for (const unknown of ['<msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6@example.com>', '<other@example.com>', ''])
        assert.is(await post(provider, provider.report('delivered', unknown)), 200, name);
    }
    assert.is((await visit(bench, '/inbound/mail/none', { method: 'POST', body: '{}' })).status, 404);
    assert.equal(await bench.readSend(id), before);
  });

  test('a report on a sandbox message is synthetic and suppresses nobody', async () => {
    assert.ok(first);
    const { id, to, messageId } = await deliver(bench.testKey);
    await post(first, first.report('complained', messageId));
    const item = (await bench.readSend(id)).events.at(-1);
    assert.equal([item.type, item.synthetic], ['send.complained', true]);
    assert.is(await suppressionOf(to), undefined);
  });

  test('a provider that cannot be checked now is asked to try again, and the reason is logged', async () => {
    const broken = { id: 'broken', read: () => Promise.reject(new Error('no certificate')) };
    const plugins = bareStandardPlugins.map((plugin) =>
      plugin.id === 'email' ? emailPlugin({ reports: [broken] }) : plugin,
    );
    const other = await openMailBench(database, { plugins });
    assert.is((await visit(other, '/inbound/mail/broken', { method: 'POST', body: '{}' })).status, 503);
    assert.match(other.logged.join('\n'), 'no certificate');
    await other.close();
    assert.throws(() => emailPlugin({ reports: [broken, broken] }), /same id/);
    assert.throws(() => emailPlugin({ reports: [{ ...broken, id: 'a/b' }] }), /need an id/);
  });
});
