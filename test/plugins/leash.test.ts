// Leashes of keys: each limit, which calls count, how a window slides, and the leash in reads of the key and of the workspace.
// time-limit: 240
// full-run: slow
import * as assert from 'uvu/assert';
import { defineStatement, type Leash, type NewKey } from '../../core/index.ts';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const variables = { name: 'Ada' };
const minute = 60_000;
const hour = 60 * minute;
const storedUsage = defineStatement((db, p: { key_id: string }) =>
  db.selectFrom('leash_usage').select('counter').where('counter', '=', p.key_id),
);

await eachDatabase('leashes', (test, database) => {
  let bench: MailBench;
  let calls = 0;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
    const live = bench.service.as(bench.workspaceId);
    const nodes = [{ id: 'pause', kind: 'delay' as const, for: 'P1D' }];
    await live.sequences.create({ key: 'welcome', name: 'Welcome', nodes });
    await live.sequences.publish({ keyOrId: 'welcome' });
  });
  test.after(() => bench.close());

  const issue = async (leash: Leash, more: Partial<NewKey> = {}) => {
    const key = { workspaceId: bench.workspaceId, name: 'agent', mode: 'mcp', preset: 'full', leash, ...more };
    return bench.service.keys.create(key as NewKey);
  };
  const post = (key: string, path: string, body: object, headers: Record<string, string> = {}) => {
    calls += 1;
    return bench.request(path, { body, key, headers: { 'idempotency-key': `leash-${calls}`, ...headers } });
  };
  const someone = () => {
    calls += 1;
    return `person-${calls}@example.org`;
  };
  const send = (key: string, to = someone(), headers: Record<string, string> = {}) =>
    post(key, '/v1/templates/receipt/send', { to, variables }, headers);
  const batch = (key: string, count: number) => {
    const recipients = Array.from({ length: count }, () => ({ to: someone(), variables }));
    return post(key, '/v1/transactional/batch', { template: 'receipt', recipients });
  };
  const leftOf = async (key: string, limit: keyof Leash) =>
    (await bench.request('/v1/workspace', { key })).body.leash.left[limit];
  const expectRefusal = (
    answer: { status: number; body: { error: { code: string; message: string } } },
    words: RegExp,
  ) => {
    assert.is(answer.status, 403, JSON.stringify(answer.body));
    assert.is(answer.body.error.code, 'leash_exceeded');
    assert.match(answer.body.error.message, words);
  };
  const expectSuccess = (answer: { status: number; body: unknown }) =>
    assert.ok(answer.status < 300, JSON.stringify(answer.body));

  test('a key may cause at most the sends per hour that its leash allows, through any calls', async () => {
    const { secret } = await issue({ sendsPerHour: 10 });
    expectSuccess(await send(secret));
    expectSuccess(await post(secret, '/v1/transactional/send', { template: 'receipt', to: someone(), variables }));
    expectSuccess(await batch(secret, 3));
    expectSuccess(await post(secret, '/v1/sequences/welcome/enroll', { contact: { email: someone() } }));
    expectSuccess(await post(secret, '/v1/flows/welcome/enroll', { contact: { email: someone() } }));
    expectSuccess(await post(secret, '/v1/events', { type: 'order.placed', contact: { email: someone() } }));
    assert.equal(
      (
        await bench.tool(
          'send_transactional',
          { template: 'receipt', to: someone(), variables, idempotency_key: 'leash-tool' },
          secret,
        )
      ).isError,
      false,
    );
    assert.is((await leftOf(secret, 'sendsPerHour')).amount, 1);
    const tooMany = await batch(secret, 2);
    expectRefusal(
      tooMany,
      /^The leash of this key allows 10 sends an hour\. 1 is left, and this call counts as 2\. Nothing happened\. Enough is left again at 2026-/,
    );
    assert.equal(
      tooMany.body.error.details.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [['leash.sendsPerHour', 'used_up']],
    );
    expectRefusal(await batch(secret, 11), /this call alone counts as 11/);
    expectSuccess(await send(secret));
    expectRefusal(await send(secret), /0 are left/);
    const tool = await bench.tool('emit_event', { type: 'order.placed', contact: { email: someone() } }, secret);
    assert.is(tool.body.error.code, 'leash_exceeded');
  });

  test('enrolling a list counts its confirmed members, and enrols no more members than it counted', async () => {
    const live = bench.service.as(bench.workspaceId);
    const { listId } = await live.lists.create({ name: 'News', optin: 'single' });
    const add = async (count: number) => {
      const ids: string[] = [];
      for (let i = 0; i < count; i += 1) ids.push((await live.contacts.upsert({ email: someone() })).id);
      await live.lists.membersAdd({ listId, contactIds: ids });
    };
    await add(3);
    const { secret } = await issue({ sendsPerHour: 10 });
    const first = await post(secret, '/v1/sequences/welcome/enrollments', { listId });
    expectSuccess(first);
    assert.is(first.body.total, 3);
    assert.is((await leftOf(secret, 'sendsPerHour')).amount, 7);
    await add(30);
    await bench.drain();
    const path = `/v1/sequences/welcome/enrollments/${first.body.enrollmentId}`;
    const { status, enrolled } = (await bench.request(path)).body;
    assert.equal([status, enrolled], ['completed', 3]);
    expectRefusal(await post(secret, '/v1/sequences/welcome/enrollments', { listId }), /alone counts as 33/);
  });

  test('adding members to a list counts them, because they may get mail', async () => {
    const live = bench.service.as(bench.workspaceId);
    const { listId } = await live.lists.create({ name: 'Asked', optin: 'double' });
    const contactIds = [
      (await live.contacts.upsert({ email: someone() })).id,
      (await live.contacts.upsert({ email: someone() })).id,
    ];
    const { secret } = await issue({ recipientsPerDay: 1 });
    expectRefusal(await post(secret, `/v1/lists/${listId}/members`, { contactIds }), /allows 1 recipient in 24 hours/);
    expectSuccess(await post(secret, `/v1/lists/${listId}/members`, { contactIds: contactIds.slice(1) }));
  });

  test('the window of an hour slides: a use stops counting between 60 and 61 minutes later, and never earlier', async () => {
    const { secret } = await issue({ sendsPerHour: 2 });
    expectSuccess(await send(secret));
    bench.advanceClock(30 * minute);
    expectSuccess(await send(secret));
    const { body } = await send(secret);
    const renewsAt = Date.parse(/again at (\S+)\.$/.exec(body.error.message)?.[1] ?? '');
    assert.is((await leftOf(secret, 'sendsPerHour')).renewsAt, new Date(renewsAt).toISOString());
    assert.ok(renewsAt >= bench.now() + 30 * minute && renewsAt <= bench.now() + 31 * minute);
    bench.advanceClock(renewsAt - bench.now() - 1);
    expectRefusal(await send(secret), /0 are left/);
    bench.advanceClock(1);
    expectSuccess(await send(secret));
    expectRefusal(await send(secret), /0 are left/);
  });

  test('recipients count for 24 hours', async () => {
    const { secret } = await issue({ recipientsPerDay: 3 });
    expectSuccess(await batch(secret, 2));
    bench.advanceClock(23 * hour);
    expectRefusal(await batch(secret, 2), /allows 3 recipients in 24 hours\. 1 is left, and this call counts as 2/);
    bench.advanceClock(hour + 15 * minute);
    expectSuccess(await batch(secret, 3));
  });

  test('a refused call, a dry run, a replay and a rollback do not count', async () => {
    const { secret } = await issue({ sendsPerHour: 3, recipientsPerDay: 3 });
    const to = someone();
    expectSuccess(await send(secret, to, { 'idempotency-key': 'leash-replayed' }));
    expectSuccess(await send(secret, to, { 'idempotency-key': 'leash-replayed' }));
    expectSuccess(await send(secret, someone(), { 'dry-run': 'true' }));
    assert.is((await post(secret, '/v1/templates/missing/send', { to, variables })).status, 404);
    assert.is((await post(secret, '/v1/templates/receipt/send', { to, variables: {} })).status, 422);
    assert.is((await post(secret, '/v1/templates/receipt/send', { to: 'nobody', variables })).status, 422);
    for (const limit of ['sendsPerHour', 'recipientsPerDay'] as const)
      assert.is((await leftOf(secret, limit)).amount, 2);
    expectSuccess(await batch(secret, 2));
    expectRefusal(await send(secret, someone(), { 'dry-run': 'true' }), /0 are left/);
    expectSuccess(await send(secret, to, { 'idempotency-key': 'leash-replayed' }));
  });

  test('a sandbox key has a leash, but its calls do not count', async () => {
    const { secret } = await issue({ sendsPerHour: 1, recipientDomains: ['example.org'] }, { sandbox: true });
    for (let sends = 0; sends < 3; sends += 1) expectSuccess(await send(secret));
    assert.equal(await leftOf(secret, 'sendsPerHour'), { amount: 1, renewsAt: null });
    expectRefusal(await send(secret, 'ada@elsewhere.example'), /elsewhere\.example/);
  });

  test('charged credits count, and a charge above the leash is refused', async () => {
    const { secret } = await issue({ creditsPerDay: 2 });
    const shorten = () => post(secret, '/v1/links', { destinationUrl: `https://example.org/${someone()}` });
    expectSuccess(await shorten());
    expectSuccess(await send(secret));
    assert.is((await leftOf(secret, 'creditsPerDay')).amount, 1);
    expectSuccess(await shorten());
    expectRefusal(await shorten(), /allows 2 credits in 24 hours\. 0 are left, and this call counts as 1/);
    bench.advanceClock(25 * hour);
    expectSuccess(await shorten());
  });

  test('email is sent only to domains of the leash, whether an address, a contact or a list names the recipient', async () => {
    const live = bench.service.as(bench.workspaceId);
    const { secret } = await issue({ recipientDomains: ['EXAMPLE.org', 'bücher.example'] });
    const words =
      /allows email to example\.org, xn--bcher-kva\.example only, and a recipient of this call is at (\S+)\./;
    expectSuccess(await send(secret, 'Ada <ada@Example.ORG>'));
    expectSuccess(await send(secret, 'ada@bücher.example'));
    expectRefusal(await send(secret, 'ada@sub.example.org'), words);
    const recipients = [
      { to: someone(), variables },
      { to: 'Ada <ada@other.example>', variables },
    ];
    expectRefusal(await post(secret, '/v1/transactional/batch', { template: 'receipt', recipients }), words);
    const { id } = await live.contacts.upsert({ external_id: 'stranger', email: 'stranger@other.example' });
    for (const contact of [{ id }, { external_id: 'stranger' }, { email: 'stranger@other.example' }]) {
      expectRefusal(await post(secret, '/v1/sequences/welcome/enroll', { contact }), words);
      expectRefusal(await post(secret, '/v1/events', { type: 'order.placed', contact }), words);
    }
    expectSuccess(await post(secret, '/v1/events', { type: 'order.placed', contact: { external_id: 'nobody-yet' } }));
    const { listId } = await live.lists.create({ name: 'Mixed', optin: 'single' });
    const contactId = (await live.contacts.upsert({ email: someone() })).id;
    await live.lists.membersAdd({ listId, contactIds: [contactId] });
    expectSuccess(await post(secret, '/v1/sequences/welcome/enrollments', { listId }));
    expectRefusal(await post(secret, `/v1/lists/${listId}/members`, { contactIds: [id] }), words);
    await live.lists.membersAdd({ listId, contactIds: [id] });
    expectRefusal(await post(secret, '/v1/sequences/welcome/enrollments', { listId }), words);
  });

  test('only the tools of the leash are listed and can be called, on both interfaces', async () => {
    const { secret } = await issue({ tools: ['read_workspace', 'send_transactional'] });
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { body } = await bench.request('/v1/mcp', { key: secret, body: message });
    assert.equal(body.result.tools.map(({ name }: { name: string }) => name).sort(), [
      'read_workspace',
      'send_transactional',
    ]);
    const all = await bench.request('/v1/mcp', { body: message });
    assert.ok(all.body.result.tools.length > 100);
    expectSuccess(await send(secret));
    const tool = await bench.tool('list_templates', {}, secret);
    assert.is(tool.body.error.code, 'leash_exceeded');
    assert.match(
      tool.body.error.message,
      /does not include list_templates\. It includes: read_workspace, send_transactional\./,
    );
    expectRefusal(await bench.request('/v1/templates', { key: secret }), /does not include list_templates/);
    expectRefusal(
      await post(secret, '/v1/transactional/send', { template: 'receipt', to: someone(), variables }),
      /does not include POST \/v1\/transactional\/send, which is not a tool/,
    );
  });

  test('a call with more recipients than holdAbove allows is refused', async () => {
    const { secret } = await issue({ holdAbove: { recipients: 2 } });
    expectSuccess(await batch(secret, 2));
    expectRefusal(await batch(secret, 3), /allows calls with 2 recipients at most, and this call has 3/);
  });

  test('a key whose leash has expired is refused like an expired key', async () => {
    const { secret } = await issue({ expiresAt: new Date(bench.now() + hour).toISOString() });
    bench.advanceClock(hour - 1);
    assert.is((await bench.request('/v1/workspace', { key: secret })).status, 200);
    bench.advanceClock(1);
    assert.is((await bench.request('/v1/workspace', { key: secret })).body.error.code, 'invalid_api_key');
    assert.is((await bench.tool('read_workspace', {}, secret)).status, 401);
  });

  test('a read of the key shows its leash, a read of the workspace shows the remaining amounts, and a key without a leash shows neither', async () => {
    const leash = {
      sendsPerHour: 5,
      creditsPerDay: 9,
      recipientDomains: ['example.org'],
      holdAbove: { recipients: 3 },
    };
    const { id, secret, leash: issued } = await issue(leash);
    assert.equal(issued, leash);
    assert.equal((await bench.request(`/v1/keys/${id}`)).body.leash, leash);
    expectSuccess(await batch(secret, 2));
    const view = (await bench.tool('read_workspace', {}, secret)).body.leash;
    const { renewsAt } = view.left.sendsPerHour;
    assert.ok(Date.parse(renewsAt) > bench.now());
    const remaining = { sendsPerHour: { amount: 3, renewsAt }, creditsPerDay: { amount: 9, renewsAt: null } };
    assert.equal(view, { ...leash, left: remaining });
    assert.is((await bench.request('/v1/workspace')).body.leash, undefined);
    const [plain] = (await bench.request('/v1/keys?limit=100')).body.data.slice(-1);
    assert.is(plain.leash, null);
  });

  test('if the program changes or removes a leash, the change applies at once and is audited, and earlier usage still counts', async () => {
    const { id, secret } = await issue({ sendsPerHour: 3 });
    expectSuccess(await batch(secret, 2));
    const { keys } = bench.service;
    assert.equal(
      await keys.setLeash(bench.workspaceId, id, { sendsPerHour: 1, tools: ['read_workspace', 'send_transactional'] }),
      {
        sendsPerHour: 1,
        tools: ['read_workspace', 'send_transactional'],
      },
    );
    assert.is((await leftOf(secret, 'sendsPerHour')).amount, 0);
    expectRefusal(await send(secret), /allows 1 send an hour\. 0 are left/);
    assert.is(await keys.setLeash(bench.workspaceId, id, null), null);
    expectSuccess(await batch(secret, 20));
    assert.is((await bench.request('/v1/workspace', { key: secret })).body.leash, undefined);
    const audit = (await bench.request('/v1/audit?action=key.set_leash')).body.data;
    assert.equal(
      audit.map(({ target }: { target: { id: string } }) => target.id),
      [id, id],
    );
  });

  test('the leash of a key affects no other key and no other workspace', async () => {
    const one = await issue({ sendsPerHour: 1 });
    const otherKey = await issue({ sendsPerHour: 1 });
    const foreign = await issue({ sendsPerHour: 1 }, { workspaceId: bench.foreignWorkspaceId });
    expectSuccess(await send(one.secret));
    expectRefusal(await send(one.secret), /0 are left/);
    expectSuccess(await send(otherKey.secret));
    assert.is((await leftOf(foreign.secret, 'sendsPerHour')).amount, 1);
    expectSuccess(await send(bench.liveKey));
  });

  test('simultaneous calls of one key are counted exactly, even if some of them are rolled back', async () => {
    const { secret } = await issue({ sendsPerHour: 7 });
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        index % 3 === 0 ? post(secret, '/v1/templates/receipt/send', { to: someone(), variables: {} }) : send(secret),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.is(statuses.filter((status) => status === 202).length, 7, JSON.stringify(statuses));
    assert.ok(
      statuses.every((status) => [202, 403, 422].includes(status)),
      JSON.stringify(statuses),
    );
    assert.is((await leftOf(secret, 'sendsPerHour')).amount, 0);
  });

  test('usage that is outside every window is deleted', async () => {
    const open = await bench.service.core.database();
    const { id, secret } = await issue({ sendsPerHour: 1 });
    const rows = () =>
      open.read(bench.workspaceId, async (handle) => (await handle.all(storedUsage, { key_id: id })).length);
    expectSuccess(await send(secret));
    bench.advanceClock(24 * hour);
    await bench.drain();
    assert.is(await rows(), 1);
    bench.advanceClock(2 * hour);
    await bench.drain();
    assert.is(await rows(), 0);
    expectSuccess(await send(secret));
  });
});
