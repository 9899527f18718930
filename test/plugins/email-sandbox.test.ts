// The sandbox: every scenario ends with one synthetic fact, nothing leaves the process, and nothing on the live side changes.
// full-run: slow
import * as assert from 'uvu/assert';
import { scenarios } from '../../plugins/email/schema.ts';
import { twoDatabases } from '../support/databases.ts';
import { openTestService } from '../support/generated.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

type Scenario = (typeof scenarios)[number];

const ends: Readonly<Record<Scenario, { readonly type: string; readonly status: string }>> = {
  delivered: { type: 'send.delivered', status: 'delivered' },
  hard_bounced: { type: 'send.bounced', status: 'bounced' },
  soft_bounced: { type: 'send.bounced', status: 'bounced' },
  delivery_delayed: { type: 'send.delivery_delayed', status: 'delivery_delayed' },
  complained: { type: 'send.complained', status: 'complained' },
  opened: { type: 'send.opened', status: 'sent' },
  clicked: { type: 'send.clicked', status: 'sent' },
  failed: { type: 'send.failed', status: 'failed' },
  suppressed: { type: 'transactional.suppressed', status: 'suppressed' },
};

const variables = { name: 'Ada' };
const to = 'sandbox@example.org';
const typesOf = (send: { events: { type: string }[] }) => send.events.map(({ type }) => type);

await twoDatabases('the sandbox', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  /** The outbox entries about one send. */
  const outboxOf = async (sendId: string) => {
    const db = await bench.service.core.database();
    const rows = await db.read(bench.workspaceId, (handle) =>
      handle.db.selectFrom('outbox').selectAll().where('workspace_id', '=', bench.workspaceId).orderBy('id').execute(),
    );
    return rows.filter(({ data }) => data.includes(sendId));
  };

  for (const scenario of scenarios) {
    test(`${scenario}: the send is queued, then one synthetic fact follows, and nothing else changes`, async () => {
      const { usage } = (await bench.request('/v1/workspace')).body;
      const body = { to, variables, simulationScenario: scenario, metadata: { order: 7 } };
      const answer = await bench.send('receipt', body, { key: bench.testKey });
      assert.is(answer.status, 202);
      assert.is(answer.body.sandbox, true);
      assert.is(answer.body.connectorProvider, 'sandbox');
      assert.equal(answer.body.simulation, { scenario, synthetic: true });
      await bench.drain();
      bench.advanceClock(86_400_000);
      await bench.drain();

      const send = await bench.readSend(answer.body.id);
      const { type, status } = ends[scenario];
      assert.equal(typesOf(send), ['send.queued', type]);
      assert.is(send.status, status);
      assert.is(send.events[1].synthetic, true);
      assert.is(send.opens, scenario === 'opened' ? 1 : 0);
      assert.is(send.clicks, scenario === 'clicked' ? 1 : 0);
      const events = await outboxOf(send.id);
      assert.equal(
        events.map((event) => event.type),
        ['send.queued', type],
      );
      assert.ok(events.every(({ synthetic }) => synthetic === 1));
      for (const { data } of events) assert.equal(JSON.parse(data).metadata, { order: 7 });

      assert.is(bench.sink.connections, 0, 'the mail server was contacted');
      assert.equal((await bench.request('/v1/suppressions')).body.data, []);
      assert.equal((await bench.request('/v1/workspace')).body.usage, usage);
    });
  }

  test('the default scenario is a delivery, and a bounce names the kind that it simulates', async () => {
    const plain = await bench.send('receipt', { to, variables }, { key: bench.testKey });
    assert.is(plain.body.simulation.scenario, 'delivered');
    const bounces = { hard_bounced: 'hard', soft_bounced: 'soft' } as const;
    for (const [simulationScenario, kind] of Object.entries(bounces)) {
      const { body } = await bench.send('receipt', { to, variables, simulationScenario }, { key: bench.testKey });
      await bench.drain();
      assert.is((await bench.readSend(body.id)).events[1].bounce.class, kind);
    }
  });

  test('a live key that names a scenario is refused', async () => {
    const { status, body } = await bench.send('receipt', { to, variables, simulationScenario: 'delivered' });
    assert.is(status, 422);
    assert.is(body.error.code, 'sandbox_only');
    const wrong = await bench.send('receipt', { to, variables, simulationScenario: 'lost' }, { key: bench.testKey });
    assert.is(wrong.body.error.code, 'validation_failed');
    assert.is(wrong.body.error.details[0].path, 'simulationScenario');
  });

  test('a send is on the side of its key, and a key of the other side cannot find it', async () => {
    const answer = (key: string, id: string) => bench.request(`/v1/sends/${id}`, { key });
    const live = (await bench.send('receipt', { to, variables })).body;
    const sandbox = (await bench.send('receipt', { to, variables }, { key: bench.testKey })).body;
    for (const [own, other, { id }] of [
      [bench.liveKey, bench.testKey, live],
      [bench.testKey, bench.liveKey, sandbox],
    ]) {
      assert.is((await answer(own, id)).status, 200);
      const { status, body } = await answer(other, id);
      assert.equal([status, body.error.code], [404, 'send_not_found']);
    }
    await bench.drain();
    bench.sink.messages.length = 0;
  });

  test('a sandbox suppression stops sandbox sends, even if it is added after their acceptance, but no live mail', async () => {
    const email = 'on-both-sides@example.org';
    const suppress = (key: string) => {
      const headers = { 'idempotency-key': `side-${key}` };
      return bench.request('/v1/suppressions', { key, body: { email }, headers });
    };
    const send_at = new Date(bench.now() + 3_600_000).toISOString();
    const scheduledSend = await bench.send('receipt', { to: email, variables, send_at }, { key: bench.testKey });
    assert.is((await suppress(bench.testKey)).status, 201);
    const suppressedSend = await bench.send('receipt', { to: email, variables }, { key: bench.testKey });
    assert.equal([suppressedSend.status, suppressedSend.body.status], [202, 'suppressed']);
    assert.equal(typesOf(suppressedSend.body), ['transactional.suppressed']);
    assert.ok((await outboxOf(suppressedSend.body.id)).every(({ synthetic }) => synthetic === 1));
    bench.advanceClock(3_600_000);
    await bench.drain();
    assert.equal(typesOf(await bench.readSend(scheduledSend.body.id)), ['send.scheduled', 'transactional.suppressed']);
    const live = await bench.send('receipt', { to: email, variables });
    await bench.drain();
    assert.equal(typesOf(await bench.readSend(live.body.id)), ['send.queued', 'send.sent']);

    const emails = async (key: string) =>
      (await bench.request('/v1/suppressions', { key })).body.data.map((row: { email: string }) => row.email);
    assert.equal([await emails(bench.liveKey), await emails(bench.testKey)], [[], [email]]);
    assert.is((await suppress(bench.liveKey)).status, 201, 'the same address, on the other side');
    const path = `/v1/suppressions/${email}`;
    const removal = await bench.request(path, { method: 'DELETE', key: bench.testKey });
    assert.is(removal.body.deleted, true);
    assert.is((await bench.request(path, { method: 'DELETE', key: bench.testKey })).body.deleted, false);
    assert.is((await bench.send('receipt', { to: email, variables })).body.status, 'suppressed');
    const free = await bench.send('receipt', { to: email, variables }, { key: bench.testKey });
    assert.is(free.body.status, 'sent');
    await bench.drain();
    await bench.request(path, { method: 'DELETE' });
    bench.sink.messages.length = 0;
  });

  test('only sandbox keys can send drafts', async () => {
    const content = { key: 'draft', mode: 'html', subject: 'Draft for {{name}}', body: '<p>{{name}}</p>' };
    await bench.request('/v1/templates', { body: content });
    const live = await bench.send('draft', { to, variables });
    assert.is(live.status, 409);
    assert.is(live.body.error.code, 'template_not_published');
    const sandbox = await bench.send('draft', { to, variables }, { key: bench.testKey });
    assert.is(sandbox.status, 202);
    assert.is(sandbox.body.templateVersion, 0);
    assert.is(sandbox.body.subject, 'Draft for Ada');
    const wrong = await bench.send('draft', { to, variables: { nam: 'Ada' } }, { key: bench.testKey });
    assert.is(wrong.body.error.code, 'variables_invalid');
  });

  test('the sandbox send of a draft that cannot be compiled fails with the reason', async () => {
    const content = { key: 'broken', mode: 'mjml', subject: 'Hi', body: '<mjml><mj-nonsense/></mjml>' };
    assert.is((await bench.request('/v1/templates', { body: content })).status, 201);
    const { body } = await bench.send('broken', { to }, { key: bench.testKey });
    await bench.drain();
    const send = await bench.readSend(body.id);
    assert.is(send.status, 'failed');
    assert.match(send.whyNotSent, 'cannot be rendered');
    assert.is(send.events.length, 2);
  });

  test('a published template is sent in its published version, whatever its working copy contains', async () => {
    await bench.publish('settled', { subject: 'Published for {{name}}' });
    await bench.request('/v1/templates/settled', { method: 'PATCH', body: { subject: 'Edited for {{name}}' } });
    const { body } = await bench.send('settled', { to, variables }, { key: bench.testKey });
    assert.is(body.subject, 'Published for Ada');
    assert.is(body.templateVersion, 1);
  });

  test('a scheduled sandbox send ends at its time, and an opened sandbox send counts as sent', async () => {
    const send_at = new Date(bench.now() + 3_600_000).toISOString();
    const body = { to, variables, send_at, simulationScenario: 'opened' };
    const answer = await bench.send('receipt', body, { key: bench.testKey });
    assert.is(answer.body.status, 'scheduled');
    await bench.drain();
    assert.equal(typesOf(await bench.readSend(answer.body.id)), ['send.scheduled']);
    bench.advanceClock(3_600_000);
    await bench.drain();
    const send = await bench.readSend(answer.body.id);
    assert.equal(typesOf(send), ['send.scheduled', 'send.opened']);
    assert.is(send.status, 'sent');
  });

  test('a send is in the sandbox if its key, its mcp key, its plan or its call in process is in the sandbox', async () => {
    const sandboxMcp = await bench.keyWith(['templates:send'], { mode: 'mcp', sandbox: true });
    const liveMcp = await bench.keyWith(['templates:send'], { mode: 'mcp' });
    const sendWith = async (key: string) => (await bench.send('receipt', { to, variables }, { key })).body.sandbox;
    assert.equal(
      [await sendWith(sandboxMcp), await sendWith(liveMcp), await sendWith(bench.testKey)],
      [true, false, true],
    );
    const args = { template: 'receipt', to, variables };
    const inProcess = bench.service.as(bench.workspaceId, { sandbox: true });
    assert.is((await inProcess.email.send(args)).sandbox, true);

    const { id } = await bench.service.workspaces.create({
      name: 'On trial',
      plan: 'sandbox',
      defaultFrom: { email: 'hello@example.com', name: 'Trial' },
    });
    const trial = bench.service.as(id, { sandbox: false });
    const content = { key: 'receipt', subject: 'Hi', mode: 'html', body: '<p>{{name}}</p>' } as const;
    await trial.templates.create(content);
    await trial.templates.publish({ key: 'receipt' });
    assert.is((await trial.email.send(args)).sandbox, true, 'the sandbox plan sent live mail');
    await bench.drain();
    assert.is(bench.sink.messages.length, 1, 'only the live mcp key has sent');
  });

  test('with a capturing adapter, the sandbox message can be read and is marked as a sandbox message', async () => {
    const testService = await openTestService(database);
    const content = { key: 'receipt', mode: 'html', subject: 'Hello {{name}}', body: '<p>Hello {{name}}</p>' };
    await testService.request('/v1/templates', { body: content });
    await testService.request('/v1/templates/receipt/publish', { body: {} });
    for (const key of [testService.testKey, testService.liveKey]) {
      const headers = { 'idempotency-key': key.slice(0, 20) };
      await testService.request('/v1/templates/receipt/send', { body: { to, variables }, key, headers });
    }
    await testService.drain();
    const captures = testService.mail.messages().map(({ sandbox, subject, html }) => ({ sandbox, subject, html }));
    assert.equal(captures.map(({ sandbox }) => sandbox).sort(), [false, true]);
    for (const { subject, html } of captures) assert.equal([subject, html.includes('Hello Ada')], ['Hello Ada', true]);
    await testService.close();
  });
});
