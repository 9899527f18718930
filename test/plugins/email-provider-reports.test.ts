// POST /inbound/mail/{provider}: the effect of a report on a send, for each provider. A report has its effect once, in any order, and
// only in the workspace of its message.
// full-run: slow
import * as assert from 'uvu/assert';
import { emailPlugin } from '../../plugins/email/index.ts';
import { contentRows } from '../../plugins/email/store.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { clickedUrl, type ReportedKind, type TestProvider, testProviders } from '../support/provider-reports.ts';
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
    test(`${provider.adapter.id}: each report has its effect, and a repeated report has no effect`, async () => {
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

  test('two opens are counted as two, and no address of a reader is stored', async () => {
    const { id, messageId } = await deliver();
    for (const provider of providers.filter((one) => one.report('opened', messageId) !== undefined))
      for (const number of [1, 2]) await post(provider, provider.report('opened', messageId, number));
    const { opens, events } = await bench.readSend(id);
    assert.equal([opens, events.length], [10, 12]);
    assert.not.match(JSON.stringify(events), '198.51.100.9');
  });

  test('the order of reports does not matter: a complaint is final, and a delivery never replaces a bounce', async () => {
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

  test('simultaneous reports of the same event have one effect', async () => {
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

  test('an unsigned report gets 401 and changes nothing, an unknown message gets 200, and an unknown provider gets 404', async () => {
    const { id, messageId } = await deliver();
    const before = await bench.readSend(id);
    for (const provider of providers) {
      const { id: name } = provider.adapter;
      const body = JSON.stringify(provider.report('delivered', messageId));
      assert.is((await visit(bench, `/inbound/mail/${name}`, { method: 'POST', body })).status, 401, name);
      for (const unknown of ['<msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6@example.com>', '<other@example.com>', ''])
        assert.is(await post(provider, provider.report('delivered', unknown)), 200, name);
    }
    // An invalid body gets 400 if the headers authenticate the provider, and 401 if only the body could.
    for (const provider of providers) {
      const { headers } = provider.sign({}, bench.now());
      const { status } = await visit(bench, `/inbound/mail/${provider.adapter.id}`, {
        method: 'POST',
        headers,
        body: 'no JSON',
      });
      if (provider.adapter.body !== 'mail')
        assert.is(status, provider.adapter.checkHeaders === undefined ? 401 : 400, provider.adapter.id);
    }
    assert.is((await visit(bench, '/inbound/mail/none', { method: 'POST', body: '{}' })).status, 404);
    assert.equal(await bench.readSend(id), before);
  });

  test('a report between two attempts ends the delivery, and the retention of the content begins', async () => {
    assert.ok(first);
    const to = 'between@example.org';
    bench.sink.answer(to, { code: 451, text: '4.7.1 Try again later' });
    const { body } = await bench.send('receipt', { to, variables });
    await bench.drain();
    await post(first, first.report('hard', `<${body.messageId}@example.com>`));
    const { core } = bench.service;
    const db = await core.database();
    const finishedAt = () =>
      db.read(bench.workspaceId, async (handle) => (await contentRows.find(handle, body.id))?.finished_at);
    assert.is(await finishedAt(), null);
    bench.advanceClock(60_000);
    await bench.drain();
    assert.is(await finishedAt(), bench.now());
    assert.is((await bench.readSend(body.id)).status, 'bounced');
  });

  /** Posts a report in the format of Mailgun about an unsubscription. Each `id` is another unsubscription. */
  const unsubscription = (messageId: string, id: string) => {
    const mailgun = providers.find(({ adapter }) => adapter.id === 'mailgun');
    assert.ok(mailgun);
    return post(mailgun, { ...(mailgun.report('complained', messageId) as object), event: 'unsubscribed', id });
  };

  test('a repeated unsubscription does not suppress an address that has subscribed since, but a new unsubscription does', async () => {
    const { id, to, messageId } = await deliver();
    assert.is(await unsubscription(messageId, 'first'), 200);
    assert.is((await suppressionOf(to)).reason, 'unsubscribe');
    await bench.request(`/v1/suppressions/${encodeURIComponent(to)}`, { method: 'DELETE' });
    assert.is(await unsubscription(messageId, 'first'), 200);
    assert.is(await suppressionOf(to), undefined);
    assert.is(await unsubscription(messageId, 'second'), 200);
    assert.is((await suppressionOf(to)).reason, 'unsubscribe');
    const types = typesOf(await bench.readSend(id)).filter((type) => type === 'send.unsubscribed');
    assert.is(types.length, 2);
  });

  test('after 100 opens and clicks no further report counts, whether it comes once or twice', async () => {
    assert.ok(first);
    const { id, messageId } = await deliver();
    for (let number = 0; number < 102; number += 1) await post(first, first.report('opened', messageId, number));
    await post(first, first.report('opened', messageId, 101));
    assert.is((await bench.readSend(id)).opens, 100);
  });

  test('a report that arrives after the erasure of its recipient names nobody, and the suppression stays', async () => {
    assert.ok(first);
    const { id, to, messageId } = await deliver();
    const lateSend = await deliver();
    for (const email of [to, lateSend.to]) await bench.service.personalData.erase(bench.workspaceId, { email });
    const hard = JSON.stringify(first.report('hard', messageId)).replaceAll(
      'No such user here',
      `No such user <${to}>`,
    );
    assert.ok(hard.includes(to));
    await post(first, JSON.parse(hard));
    await post(first, first.report('clicked', lateSend.messageId));
    const send = await bench.readSend(id);
    assert.equal([send.status, send.events.at(-1).bounce.class], ['bounced', 'hard']);
    const { core } = bench.service;
    const db = await core.database();
    for (const table of core.registry.tables.keys()) {
      const { rows } = await db.driver.read((connection) =>
        connection.query({ sql: `select * from ${db.prefix}${table}`, parameters: [] }),
      );
      assert.not.match(JSON.stringify(rows), to, table);
    }
    assert.is((await bench.readSend(lateSend.id)).events.at(-1).click.url, new URL(clickedUrl).origin);
    const secondSend = await bench.send('receipt', { to, variables });
    assert.is(secondSend.body.status, 'suppressed');
  });

  test('at most 1 MiB and 100,000 values are read before a signature is checked, but a mail may have 15 MiB', async () => {
    const { id, messageId } = await deliver();
    const size = async (name: string, body: Buffer, headers = {}) =>
      (await visit(bench, `/inbound/mail/${name}`, { method: 'POST', headers, body, userAgent: '' })).status;
    for (const provider of providers) {
      const { id: name, body: kind } = provider.adapter;
      const signedReport = provider.sign(provider.report('delivered', messageId), bench.now());
      const longer = Buffer.concat([signedReport.body, Buffer.alloc(1_048_577, ' ')]);
      if (kind === 'mail') {
        // If the sender has no secret, no byte of the body is read, whatever its length.
        assert.is(await size(name, Buffer.alloc(16 * 1_048_576)), 401, name);
        assert.is(
          await size(name, Buffer.concat([signedReport.body, Buffer.alloc(14 * 1_048_576, ' ')]), signedReport.headers),
          200,
          name,
        );
        assert.is(await size(name, Buffer.alloc(16 * 1_048_576), signedReport.headers), 413, name);
        continue;
      }
      assert.is(await size(name, longer, signedReport.headers), 413, name);
      assert.is(await size(name, Buffer.from('['.repeat(300_000)), signedReport.headers), 413, name);
    }
    assert.is((await bench.readSend(id)).status, 'delivered');
  });

  test('a report on a sandbox message is synthetic and suppresses no address', async () => {
    assert.ok(first);
    const { id, to, messageId } = await deliver(bench.testKey);
    await post(first, first.report('complained', messageId));
    const item = (await bench.readSend(id)).events.at(-1);
    assert.equal([item.type, item.synthetic], ['send.complained', true]);
    assert.is(await suppressionOf(to), undefined);
  });

  test('if the reports of a provider cannot be checked now, it is asked to try again, and the reason is logged', async () => {
    const failingAdapter = { id: 'broken', read: () => Promise.reject(new Error('no certificate')) };
    const plugins = bareStandardPlugins.map((plugin) =>
      plugin.id === 'email' ? emailPlugin({ reports: [failingAdapter] }) : plugin,
    );
    const otherBench = await openMailBench(database, { plugins });
    assert.is((await visit(otherBench, '/inbound/mail/broken', { method: 'POST', body: '{}' })).status, 503);
    assert.match(otherBench.logged.join('\n'), 'no certificate');
    await otherBench.close();
    assert.throws(() => emailPlugin({ reports: [failingAdapter, failingAdapter] }), /same id/);
    assert.throws(() => emailPlugin({ reports: [{ ...failingAdapter, id: 'a/b' }] }), /need an id/);
  });

  test("an invalid report of an adapter is logged with the adapter's name, and the other reports of the request count", async () => {
    const fact = { kind: 'bounced' };
    let logLines: unknown[] = [];
    const plain = { id: 'plain', read: async () => logLines as never };
    const plugins = bareStandardPlugins.map((plugin) =>
      plugin.id === 'email' ? emailPlugin({ reports: [plain] }) : plugin,
    );
    const otherBench = await openMailBench(database, { plugins });
    await otherBench.publish('receipt');
    const { body } = await otherBench.send('receipt', { to: 'ada@example.org', variables });
    await otherBench.drain();
    const messageIds = [`<${body.messageId}@example.com>`];
    const report = async (...reports: unknown[]) => {
      logLines = reports;
      otherBench.logged.length = 0;
      const { status } = await visit(otherBench, '/inbound/mail/plain', { method: 'POST', body: '{}' });
      return [status, otherBench.logged.join('\n')] as const;
    };
    const validReport = { id: '1', messageIds, fact: { kind: 'delivered' } };
    const [missing, logged] = await report({ id: '2', messageIds, fact }, validReport);
    assert.is(missing, 503);
    assert.match(
      logged,
      'the adapter of the reports plain is wrong: A report of the kind bounced needs `bounce` with `class`',
    );
    assert.is((await otherBench.readSend(body.id)).status, 'delivered');
    const wrong: [unknown, RegExp][] = [
      [
        { ...validReport, fact: { kind: 'dropped' } },
        /No report is of the kind dropped: it is one of delivered, complained/,
      ],
      [{ ...validReport, fact: { kind: 'toString' } }, /No report is of the kind toString/],
      [{ ...validReport, fact: { kind: 'opened' } }, /kind opened needs `client`/],
      [{ ...validReport, messageIds: undefined }, /needs `messageIds`/],
      [undefined, /is not an object/],
    ];
    for (const [one, sentence] of wrong) {
      const [status, log] = await report(one);
      assert.is(status, 503);
      assert.match(log, sentence);
    }
    const [status, log] = await report({ ...validReport, messageIds: ['the-providers-own-id'] }, validReport);
    assert.is(status, 200);
    assert.match(
      log,
      /reports of a provider are about messages that this service did not send \{"provider":"plain","reports":1\}/,
    );
    await otherBench.close();
  });
});
