// Idempotency of the send route: when a key is required, which calls are replayed, for how long, and which record is stored.
// full-run: slow
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const body = { to: 'ada@example.org', variables: { name: 'Ada' } };
const day = 86_400_000;
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

await eachDatabase('idempotency of sends', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const path = '/v1/templates/receipt/send';
  const countSends = async (): Promise<number> => {
    const { body: page } = await bench.request('/v1/sends?limit=100');
    return page.data.length;
  };

  for (const plan of ['sandbox', 'hobby', 'pro', 'scale', 'enterprise'] as const) {
    const isRequired = plan !== 'sandbox' && plan !== 'hobby';
    test(`on ${plan} a key is ${isRequired ? 'required' : 'optional'}, both on REST and for the tool, and always optional in process`, async () => {
      await bench.service.workspaces.update(bench.workspaceId, { plan });
      const rest = await bench.request(path, { body });
      const tool = await bench.tool('send_transactional', { template: 'receipt', ...body });
      await bench.service.as(bench.workspaceId).email.send({ template: 'receipt', ...body });
      await bench.service.workspaces.update(bench.workspaceId, { plan: 'pro' });
      assert.is(rest.status, isRequired ? 422 : 202, JSON.stringify(rest.body));
      assert.is(tool.isError, isRequired);
      if (!isRequired) return;
      for (const answer of [rest.body, tool.body]) {
        assert.is(answer.error.type, 'validation_error');
        assert.is(answer.error.code, 'idempotency_key_invalid');
      }
    });
  }

  test('a key has 1 to 200 characters and no control character', async () => {
    const emoji = '😀'.repeat(200);
    for (const key of ['x', 'x'.repeat(200), 'with spaces, and ünlauts']) {
      assert.is((await bench.request(path, { body, ...withKey(key) })).status, 202, key);
    }
    const wide = await bench.tool('send_transactional', { template: 'receipt', ...body, idempotency_key: emoji });
    assert.is(wide.isError, false, 'characters are counted, not UTF-16 units');
    for (const key of ['', 'x'.repeat(201), 'a\u0000b', 'a\tb', 'a\u007fb', `${emoji}x`, 'half \ud83d']) {
      const refusal = await bench.tool('send_transactional', { template: 'receipt', ...body, idempotency_key: key });
      assert.is(refusal.body.error.code, 'idempotency_key_invalid', JSON.stringify(key));
    }
    const { status } = await bench.request(path, { body, ...withKey('x'.repeat(201)) });
    assert.is(status, 422);
  });

  test('a replay returns the same response for any order of members, and marks it with a header', async () => {
    const before = await countSends();
    const first = await bench.request(path, { body, ...withKey('replay') });
    const { to, variables } = body;
    bench.advanceClock(60_000);
    const repeat = await bench.request(path, { body: { variables, to }, ...withKey('replay') });
    assert.is(repeat.status, 202);
    assert.equal(repeat.body, first.body);
    const fresh = /^(x-request-id|x-ratelimit-|idempotent-replay)/i;
    const keptHeaders = (headers: Readonly<Record<string, string>>) =>
      Object.entries(headers).filter(([name]) => !fresh.test(name));
    assert.equal(keptHeaders(repeat.headers), keptHeaders(first.headers));
    assert.is(repeat.headers['Idempotent-Replay'], 'true');
    assert.is.not(repeat.headers['X-Request-Id'], first.headers['X-Request-Id']);
    assert.is(first.headers['Idempotent-Replay'], undefined);
    assert.is(await countSends(), before + 1);
  });

  test('keys are case-sensitive and belong to a single workspace', async () => {
    const first = await bench.request(path, { body, ...withKey('Case') });
    const otherCase = await bench.request(path, { body, ...withKey('case') });
    assert.is.not(otherCase.body.id, first.body.id);
    const otherWorkspace = bench.service.as(bench.foreignWorkspaceId);
    await otherWorkspace.templates.create({ key: 'receipt', mode: 'html', subject: 'Hi {{name}}', body: '<p>x</p>' });
    await otherWorkspace.templates.publish({ key: 'receipt' });
    const foreign = await otherWorkspace.email.send({ template: 'receipt', ...body }, { idempotencyKey: 'Case' });
    assert.is.not(foreign.id, first.body.id);
  });

  test('a different body or template under the same key is a mismatch', async () => {
    await bench.request(path, { body, ...withKey('mismatch') });
    await bench.publish('other');
    const changes: [string, object][] = [
      [path, { ...body, to: 'eve@example.org' }],
      [path, { ...body, tags: [] }],
      ['/v1/templates/other/send', body],
    ];
    for (const [route, input] of changes) {
      const { status, body: answer } = await bench.request(route, { body: input, ...withKey('mismatch') });
      assert.is(status, 409);
      assert.is(answer.error.code, 'idempotency_key_mismatch');
    }
  });

  test('a call by REST, by the tool or in process replays the others', async () => {
    const { body: rest } = await bench.request(path, { body, ...withKey('doors') });
    const tool = await bench.tool('send_transactional', { template: 'receipt', ...body, idempotency_key: 'doors' });
    assert.equal(tool.body, rest);
    assert.is(tool.meta['idempotent-replay'], true);
    const flat = { template: 'receipt', ...body };
    const answer = await bench.service.as(bench.workspaceId).email.send(flat, { idempotencyKey: 'doors' });
    assert.equal(answer, rest);
  });

  test('a sandbox answer is never replayed for a live call', async () => {
    const sandboxAnswer = await bench.request(path, { body, key: bench.testKey, ...withKey('rehearsed') });
    assert.is(sandboxAnswer.body.sandbox, true);
    const live = await bench.request(path, { body, ...withKey('rehearsed') });
    assert.is(live.body.error.code, 'idempotency_key_mismatch');
  });

  test('the same key on another route has its own record', async () => {
    await bench.request(path, { body, ...withKey('routes') });
    const { status } = await bench.request('/v1/suppressions', {
      body: { email: 'b@example.org' },
      ...withKey('routes'),
    });
    assert.is(status, 201);
  });

  test('a failed call leaves no record, so the same key runs again after the cause has gone', async () => {
    const missing = '/v1/templates/later/send';
    const before = await bench.request(missing, { body, ...withKey('afresh') });
    assert.is(before.status, 404);
    await bench.publish('later');
    const after = await bench.request(missing, { body, ...withKey('afresh') });
    assert.is(after.status, 202);
    assert.is(after.headers['Idempotent-Replay'], undefined);
    const invalid = await bench.request(path, { body: { to: body.to, variables: {} }, ...withKey('variables') });
    assert.is(invalid.body.error.code, 'variables_invalid');
    assert.is((await bench.request(path, { body, ...withKey('variables') })).status, 202);
  });

  test('a retry is replayed even if its template, plan and API key have gone', async () => {
    await bench.publish('vanishing', { delivery: 'at-least-once' });
    const route = '/v1/templates/vanishing/send';
    const scheduledBody = { ...body, send_at: new Date(bench.now() + 1_000).toISOString() };
    const key = await bench.keyWith(['templates:send']);
    const first = await bench.request(route, { body: scheduledBody, key, ...withKey('vanishing') });
    assert.is(first.status, 202);
    const db = await bench.service.core.database();
    await db.transact(async (scope) => {
      const handle = scope.handle(bench.workspaceId);
      await handle.db
        .updateTable('templates')
        .set({ status: 'archived' })
        .where('workspace_id', '=', bench.workspaceId)
        .where('key', '=', 'vanishing')
        .execute();
    });
    const limits = { plan: 'hobby' } as const;
    await bench.service.workspaces.update(bench.workspaceId, limits);
    bench.advanceClock(day - 2_000);
    const repeat = await bench.request(route, { body: scheduledBody, ...withKey('vanishing') });
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'pro' });
    assert.is(repeat.status, 202, JSON.stringify(repeat.body));
    assert.equal(repeat.body, first.body);
    const fresh = await bench.request(route, { body, ...withKey('vanishing-2') });
    assert.is(fresh.body.error.code, 'template_archived');
  });

  test('a call is replayed until the last millisecond of 24 hours, and runs again afterwards', async () => {
    const first = await bench.request(path, { body, ...withKey('a-day') });
    bench.advanceClock(day - 1);
    assert.is((await bench.request(path, { body, ...withKey('a-day') })).body.id, first.body.id);
    bench.advanceClock(1);
    const afresh = await bench.request(path, { body, ...withKey('a-day') });
    assert.is(afresh.status, 202);
    assert.is.not(afresh.body.id, first.body.id);
    assert.is((await bench.request(path, { body, ...withKey('a-day') })).body.id, afresh.body.id);
  });

  test('records older than a day are removed', async () => {
    await bench.request(path, { body, ...withKey('removed') });
    bench.advanceClock(2 * day);
    await bench.service.jobs.runSchedules();
    bench.advanceClock(120_000);
    await bench.service.jobs.runSchedules();
    const db = await bench.service.core.database();
    const remaining = await db.read(bench.workspaceId, (handle) =>
      handle.db.selectFrom('idempotency').select('key').where('workspace_id', '=', bench.workspaceId).execute(),
    );
    assert.equal(remaining, []);
  });

  test('a dry run checks everything and stores nothing, not even its key', async () => {
    const before = await countSends();
    const dry = await bench.request(path, { body, headers: { 'dry-run': 'true', 'idempotency-key': 'dry' } });
    assert.is(dry.status, 202);
    assert.is(dry.headers['Dry-Run'], 'true');
    assert.is(dry.headers['Dry-Run-Credits'], '0');
    assert.is(dry.headers['Dry-Run-Events'], 'send.queued');
    assert.is(dry.headers['Dry-Run-Jobs'], 'email.deliver');
    const refusal = await bench.request(path, {
      body: { to: 'a@example.org' },
      headers: { 'dry-run': 'true', 'idempotency-key': 'dry' },
    });
    assert.is(refusal.body.error.code, 'variables_invalid');
    assert.is(await countSends(), before);
    const real = await bench.request(path, { body: { ...body, to: 'other@example.org' }, ...withKey('dry') });
    assert.is(real.status, 202);
    assert.is.not(real.body.id, dry.body.id);
  });
});
