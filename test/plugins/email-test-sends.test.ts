// Test sends: they are always in the sandbox, from the working copy, never counted, and synthetic in every fact.
// full-run: slow
import * as assert from 'uvu/assert';
import { unscoped } from '../../core/storage/scope.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const html = (text: string) => `<html><body><p>${text} {{ name }}</p></body></html>`;
const variables = { name: 'Ada' };
const contract = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  examples: [{ name: 'Example' }],
};

await twoDatabases('test sends', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database, { plans: { pro: { monthlySendBudget: 1 } } });
    await bench.publish('hello', { body: html('Published'), variables: contract });
    await post('/v1/templates/hello', { subject: 'Edited for {{ name }}', body: html('Edited') }, 'PATCH');
  });
  test.after(() => bench.close());

  const post = (path: string, body: object = {}, method = 'POST', key = bench.liveKey) => {
    calls += 1;
    return bench.request(path, { method, body, key, headers: { 'idempotency-key': `tries-${calls}` } });
  };
  const tryOut = (key: string, body: object = {}, apiKey?: string) =>
    post(`/v1/templates/${key}/send-test`, body, 'POST', apiKey);
  const outboxOf = async (sendId: string) => {
    const db = await bench.service.core.database();
    const rows = await db.read(bench.workspaceId, (handle) =>
      handle.db.selectFrom('outbox').selectAll().where('workspace_id', '=', bench.workspaceId).orderBy('id').execute(),
    );
    return rows.filter(({ data }) => data.includes(sendId));
  };
  const jobsOf = async (sendId: string) => {
    const db = await bench.service.core.database();
    const rows = await db.read(unscoped('the test looks at every workspace'), (handle) =>
      handle.db.selectFrom('jobs').selectAll().execute(),
    );
    return rows.filter(({ payload }) => payload.includes(sendId));
  };
  const refusal = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];

  test('a test send of a live key stays in the sandbox, and all its facts are synthetic', async () => {
    const usage = async () => (await bench.request('/v1/workspace')).body.usage;
    const before = await usage();
    const { status, body } = await tryOut('hello');
    assert.is(status, 202);
    const { id, messageId, createdAt, events, ...rest } = body;
    assert.equal(rest, {
      status: 'sent',
      templateKey: 'hello',
      templateVersion: 0,
      to: 'hello@example.com',
      from: { email: 'hello@example.com', name: 'Example' },
      subject: 'Edited for Example',
      connectorProvider: 'sandbox',
      apiKeyId: rest.apiKeyId,
      sandbox: true,
      test: true,
      tags: [],
      opens: 0,
      clicks: 0,
      simulation: { scenario: 'delivered', synthetic: true },
    });
    assert.equal([typeof messageId, typeof createdAt, events.length], ['string', 'string', 1]);
    assert.equal(
      (await jobsOf(id)).map(({ kind, sandbox }) => [kind, sandbox]),
      [['email.simulate', 1]],
    );
    await bench.drain();
    const send = await bench.readSend(id);
    assert.is(send.status, 'delivered');
    assert.equal(
      send.events.map(({ type, synthetic }: { type: string; synthetic?: boolean }) => [type, synthetic]),
      [
        ['send.queued', undefined],
        ['send.delivered', true],
      ],
    );
    const outbox = await outboxOf(id);
    assert.equal(
      outbox.map(({ type, synthetic }) => [type, synthetic]),
      [
        ['send.queued', 1],
        ['send.delivered', 1],
      ],
    );
    assert.is(bench.sink.connections, 0, 'the mail server was contacted');
    assert.equal(await usage(), before);
    const { data } = (await bench.request('/v1/audit?action=transactional.send_test&limit=1')).body;
    assert.equal(
      [data[0].target, data[0].metadata],
      [
        { kind: 'message', id: messageId },
        { template: 'hello', to_domain: 'example.com' },
      ],
    );
  });

  test('a live key can read its test send by id, but no other send of the sandbox', async () => {
    const { body: tried } = await tryOut('hello');
    const answer = await bench.request(`/v1/sends/${tried.id}`);
    assert.equal([answer.status, answer.body.sandbox, answer.body.test], [200, true, true]);
    const listedIds = async (key: string) =>
      (await bench.request('/v1/sends?limit=100', { key })).body.data.map(({ id }: { id: string }) => id);
    assert.is((await listedIds(bench.liveKey)).includes(tried.id), false);
    assert.is((await listedIds(bench.testKey)).includes(tried.id), true);
    const { body: sandbox } = await bench.send('hello', { to: 'ada@example.org', variables }, { key: bench.testKey });
    assert.equal(refusal(await bench.request(`/v1/sends/${sandbox.id}`)), [404, 'send_not_found']);
    const foreignCalls = bench.service.as(bench.foreignWorkspaceId);
    const error = await foreignCalls.sends.read({ id: tried.id }).catch((cause: { code: string }) => cause.code);
    assert.is(error, 'send_not_found');
  });

  test('a test send of a sandbox key behaves the same, through every interface', async () => {
    const answers = [
      (await tryOut('hello', { variables }, bench.testKey)).body,
      (await bench.tool('send_test', { template: 'hello', variables })).body,
      await bench.service.as(bench.workspaceId).email.sendTest({ template: 'hello', variables }),
    ];
    for (const body of answers)
      assert.equal([body.sandbox, body.test, body.subject], [true, true, 'Edited for Ada'], JSON.stringify(body));
    await bench.drain();
    for (const { id } of answers) {
      assert.is((await bench.readSend(id)).status, 'delivered');
      assert.ok((await outboxOf(id)).every(({ synthetic }) => synthetic === 1));
    }
    assert.is(bench.sink.connections, 0);
  });

  test('a test send contains the working copy, even if nothing is published, or the published version on request', async () => {
    assert.equal((await tryOut('hello', { draft: false })).body.templateVersion, 1);
    assert.is((await tryOut('hello', { draft: false })).body.subject, 'Hello Example');
    await post('/v1/templates', { key: 'draft', mode: 'html', subject: 'Hi {{ name }}', body: html('Hi') });
    assert.is((await tryOut('draft', { variables })).body.subject, 'Hi Ada');
    assert.equal(refusal(await tryOut('draft', { variables, draft: false })), [409, 'template_not_published']);
    assert.is((await tryOut('draft')).body.subject, 'Hi name', 'the template has no example values');
    assert.equal(refusal(await tryOut('draft', { variables: {} })), [422, 'variables_invalid']);
    assert.equal(refusal(await tryOut('nothing')), [404, 'template_not_found']);
  });

  test('a test send of a draft that does not compile fails with the reason, and the failure is synthetic', async () => {
    await post('/v1/templates', { key: 'broken', mode: 'html', subject: 'Hi', body: '<script>x</script>' });
    const { body } = await tryOut('broken');
    await bench.drain();
    const send = await bench.readSend(body.id);
    assert.equal([send.status, send.events[1].synthetic], ['failed', true]);
    assert.match(send.whyNotSent, 'is not allowed in a mail');
  });

  test('no budget, suppression or charge prevents a test send', async () => {
    const first = await bench.send('hello', { to: 'ada@example.org', variables });
    assert.is(first.status, 202);
    assert.is((await bench.send('hello', { to: 'ada@example.org', variables })).status, 402, 'the budget is used up');
    const email = 'gone@example.org';
    await bench.request('/v1/suppressions', { body: { email }, headers: { 'idempotency-key': 'suppress' } });
    await bench.request('/v1/suppressions', {
      body: { email },
      key: bench.testKey,
      headers: { 'idempotency-key': 'suppress-in-sandbox' },
    });
    const { status, body } = await tryOut('hello', { to: email });
    assert.equal([status, body.status, body.to], [202, 'sent', email]);
    await bench.drain();
    assert.is((await bench.readSend(body.id)).status, 'delivered');
    assert.is((await bench.request('/v1/workspace')).body.usage.sends_this_month, 1);
  });

  test('all other fields work as in a normal send', async () => {
    const more = {
      from: { email: 'billing@example.com', name: 'Billing' },
      replyTo: { email: 'help@example.com' },
      metadata: { order: 7 },
      tags: ['try'],
      headers: { 'X-Try': 'yes', Bcc: 'eve@example.org' },
      attachments: [{ filename: 'a.txt', content_type: 'text/plain', data_base64: 'aGk=' }],
    };
    const { body } = await tryOut('hello', more);
    assert.equal(
      [body.from, body.metadata, body.tags, body.strippedHeaders],
      [more.from, more.metadata, more.tags, ['Bcc']],
    );
    const refusals: [object, string][] = [
      [{ from: { email: 'x@evil.example' } }, 'from_not_allowed'],
      [{ headers: { 'a b': 'x' } }, 'header_invalid'],
      [{ variables: { nam: 'x' } }, 'variables_invalid'],
      [{ to: 'nobody' }, 'validation_failed'],
      [{ simulationScenario: 'opened' }, 'validation_failed'],
      [{ send_at: '2027-01-01T00:00:00.000Z' }, 'validation_failed'],
      [{ bypassSuppression: true }, 'validation_failed'],
      [{ template: 'hello' }, 'validation_failed'],
    ];
    for (const [change, code] of refusals) assert.is((await tryOut('hello', change)).body.error.code, code);
    const reading = await bench.keyWith(['templates:read']);
    assert.is((await tryOut('hello', {}, reading)).status, 403);
  });

  test('with an inbox, every answer about a send that stayed in the sandbox has a link to it', async () => {
    const service = await createTestService({
      plugins: standardPlugins,
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
      publicUrl: 'http://localhost:3000/messaging',
    });
    const calls = service.service.as(service.workspaceId);
    await calls.templates.create({ key: 'hello', mode: 'html', subject: 'Hi', body: '<p>{{ name }}</p>' });
    await calls.templates.publish({ key: 'hello' });
    const headers = (key: string) => ({ 'idempotency-key': key });
    const paths = ['/v1/templates/hello/send-test', '/v1/templates/hello/send', '/v1/transactional/send'];
    for (const [index, path] of paths.entries()) {
      const body = { to: 'ada@example.org', variables, ...(index === 2 ? { template: 'hello' } : {}) };
      const key = index === 0 ? service.liveKey : service.testKey;
      const sent = await service.request(path, { key, body, headers: headers(`inbox-${index}`) });
      assert.is(sent.status, 202, JSON.stringify(sent.body));
      assert.match(sent.body.inboxUrl, `http://localhost:3000/messaging/inbox/m/${sent.body.id}`);
      const read = await service.request(`/v1/sends/${sent.body.id}`, { key });
      assert.is(read.body.inboxUrl, sent.body.inboxUrl);
      const [listed] = (await service.request('/v1/sends?limit=1', { key: service.testKey })).body.data;
      assert.is(listed.inboxUrl, sent.body.inboxUrl);
    }
    const live = await service.request('/v1/templates/hello/send', {
      body: { to: 'ada@example.org', variables },
      headers: headers('live'),
    });
    assert.is('inboxUrl' in live.body, false);
    assert.is('inboxUrl' in (await service.request(`/v1/sends/${live.body.id}`)).body, false);
    await service.close();
  });
});
