// POST /v1/transactional/send: the send route with the template in the body. It is a separate endpoint for idempotency keys.
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const variables = { name: 'Ada' };
const to = 'ada@example.org';
const message = { template: 'receipt', to, variables };
const limit = 3;

await twoDatabases('the alias of the send route', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database, { plans: { scale: { monthlySendBudget: limit, keyRate: 1_000 } } });
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const send = (body: object, headers: Record<string, string> = {}, key = bench.liveKey) => {
    calls += 1;
    return bench.request('/v1/transactional/send', {
      body,
      key,
      headers: { 'idempotency-key': `alias-${calls}`, ...headers },
    });
  };

  test('the alias sends the same message as the send route, and writes the same audit entry', async () => {
    const { status, body } = await send({ ...message, tags: ['a'], metadata: { order: 7 } });
    assert.is(status, 202);
    const direct = (await bench.send('receipt', { to, variables, tags: ['a'], metadata: { order: 7 } })).body;
    const plain = ({ id, messageId, createdAt, events, ...rest }: Record<string, unknown>) => rest;
    assert.equal(plain(body), plain(direct));
    assert.equal(await bench.readSend(body.id), body);
    await bench.drain();
    assert.is(bench.sink.messages.filter(({ recipients }) => recipients.includes(to)).length, 2);
    const { data } = (await bench.request('/v1/audit?action=transactional.send&limit=2')).body;
    assert.equal(data.map(({ target }: { target: unknown }) => target).reverse(), [
      { kind: 'message', id: body.messageId },
      { kind: 'message', id: direct.messageId },
    ]);
    assert.equal(data[1].metadata, data[0].metadata);
  });

  test('the alias is a typed call in process, but has no tool of its own', async () => {
    const calls = bench.service.as(bench.workspaceId);
    assert.is((await calls.email.sendAlias(message)).status, 'sent');
    const { body } = await bench.request('/v1/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    const names: string[] = body.result.tools.map(({ name }: { name: string }) => name);
    assert.ok(names.includes('send_transactional') && names.includes('send_test'));
    assert.is(
      names.some((name) => /alias/.test(name)),
      false,
    );
  });

  test('the alias requires a template, and refuses the same calls as the send route', async () => {
    const { status, body } = await send({ to, variables });
    assert.equal([status, body.error.code, body.error.details[0].path], [422, 'validation_failed', 'template']);
    const same: object[] = [
      { variables: { nam: 'x' } },
      { to: 'nobody' },
      { from: { email: 'x@evil.example' } },
      { headers: { 'a b': 'x' } },
      { attachments: [{ filename: 'a.exe', content_type: 'text/plain', data_base64: 'AAAA' }] },
      { send_at: '2020-01-01T00:00:00.000Z' },
      { simulationScenario: 'opened' },
    ];
    for (const change of same) {
      const aliasAnswer = await send({ ...message, ...change });
      const direct = await bench.send('receipt', { to, variables, ...change });
      assert.equal(
        [aliasAnswer.status, aliasAnswer.body.error.code, aliasAnswer.body.error.details],
        [direct.status, direct.body.error.code, direct.body.error.details],
        JSON.stringify(change),
      );
    }
    assert.is((await send({ ...message, template: 'missing' })).body.error.code, 'template_not_found');
    const reading = await bench.keyWith(['templates:read']);
    assert.is((await send(message, {}, reading)).status, 403);
    const bypassing = await bench.keyWith(['templates:send']);
    assert.is(
      (await send({ ...message, bypassSuppression: true }, {}, bypassing)).body.error.code,
      'insufficient_scope',
    );
  });

  test('an idempotency key does not apply to the other endpoint, and is required on the same plans', async () => {
    const headers = { 'idempotency-key': 'both' };
    const first = await send(message, headers);
    const repeat = await send(message, headers);
    assert.equal([repeat.body, repeat.headers['Idempotent-Replay']], [first.body, 'true']);
    const direct = await bench.send('receipt', { to, variables }, { headers });
    assert.equal([direct.status, direct.headers['Idempotent-Replay']], [202, undefined]);
    assert.is.not(direct.body.id, first.body.id);
    const without = await bench.request('/v1/transactional/send', { body: message });
    assert.equal([without.status, without.body.error.code], [422, 'idempotency_key_invalid']);
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'hobby' });
    assert.is((await bench.request('/v1/transactional/send', { body: message })).status, 202);
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'pro' });
  });

  test('both endpoints use the same budget', async () => {
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'scale' });
    const used = (await bench.request('/v1/workspace')).body.usage.sends_this_month;
    assert.ok(used >= limit, 'earlier sends were counted');
    assert.equal([(await send(message)).status, (await bench.send('receipt', { to, variables })).status], [402, 402]);
    bench.advanceClock(31 * 86_400_000);
    const statuses = [];
    for (let count = 0; count < limit; count += 1)
      statuses.push((await (count % 2 === 0 ? send(message) : bench.send('receipt', { to, variables }))).status);
    assert.equal(statuses, [202, 202, 202]);
    assert.is((await send(message)).status, 402);
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'pro' });
  });

  test('a suppressed recipient is not an error, and a send with a sandbox key stays in the sandbox', async () => {
    const email = 'gone@example.org';
    await bench.request('/v1/suppressions', { body: { email }, headers: { 'idempotency-key': 'suppress' } });
    const answer = await send({ ...message, to: email });
    assert.equal([answer.status, answer.body.status], [202, 'suppressed']);
    const { body } = await send({ ...message, simulationScenario: 'hard_bounced' }, {}, bench.testKey);
    assert.equal([body.sandbox, body.simulation.scenario], [true, 'hard_bounced']);
    await bench.drain();
    assert.is((await bench.readSend(body.id)).status, 'bounced');
  });
});
