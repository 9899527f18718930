// Connectors that the program creates: which messages use which connector, the effect of a failure, and secrets.
// full-run: slow
import * as assert from 'uvu/assert';
import type { PostriderError } from '../../core/index.ts';
import { type ConnectorBench, openConnectorBench, type SubmissionAccount } from '../support/connector-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const minute = 60_000;
const variables = { name: 'Ada' };

async function refusal(call: Promise<unknown>): Promise<PostriderError> {
  try {
    await call;
  } catch (error) {
    return error as PostriderError;
  }
  return assert.unreachable('the call succeeded') as never;
}

await twoDatabases('connectors', (test, database) => {
  let bench: ConnectorBench;
  test.before.each(async () => {
    bench = await openConnectorBench(database);
  });
  test.after.each(() => bench.close());

  const connect = (account: SubmissionAccount, more: object = {}, workspaceId = bench.workspaceId) =>
    bench.service.connectors.create(workspaceId, {
      kind: 'mail',
      provider: 'smtp',
      name: 'Own server',
      credentials: account.credentials,
      options: account.options,
      ...more,
    });
  const send = async (to: string, template = 'receipt'): Promise<string> => {
    const { status, body } = await bench.send(template, { to, variables });
    assert.is(status, 202);
    await bench.drain();
    return body.id;
  };
  const audited = async (): Promise<string[]> => {
    const { body } = await bench.request('/v1/audit?limit=100');
    return body.data
      .map(({ action }: { action: string }) => action)
      .filter((action: string) => /^connector/.test(action));
  };

  test('the catalog lists the composed providers with the schemas of their credentials and options', async () => {
    const { body } = await bench.request('/v1/connectors/catalog');
    const [smtp, ...more] = body.data;
    assert.equal([more.length, smtp.kind, smtp.provider, smtp.name], [0, 'mail', 'smtp', 'SMTP']);
    assert.equal(smtp.credentials.required, ['user', 'pass']);
    assert.equal(Object.keys(smtp.options.properties), ['host', 'port', 'returnPaths', 'secure']);
  });

  test('a connector can be created, shown, changed and deleted, and no answer contains its credentials', async () => {
    const account = await bench.account('first');
    const created = await connect(account);
    assert.match(created.id, /^con_/);
    const expected = { id: created.id, kind: 'mail', provider: 'smtp', name: 'Own server', status: 'connected' };
    assert.equal((await bench.request('/v1/connectors')).body.data, [
      { ...expected, lastUsedAt: null, createdAt: created.createdAt },
    ]);
    const changed = await bench.service.connectors.update(bench.workspaceId, created.id, { name: 'Renamed' });
    assert.equal([changed.name, changed.options], ['Renamed', account.options]);
    assert.equal(
      (await bench.service.connectors.list(bench.workspaceId)).map(({ name }) => name),
      ['Renamed'],
    );
    await bench.service.connectors.delete(bench.workspaceId, created.id);
    assert.equal((await bench.request('/v1/connectors')).body.data, []);
    const stored = await bench.service.core.database();
    assert.is(
      await stored.read(bench.workspaceId, (handle) => bench.service.core.services.vault.find(handle, created.id)),
      undefined,
    );
    assert.equal((await audited()).sort(), ['connector.create', 'connector.delete', 'connector.update']);
  });

  test('the error of an invalid value names the field, and no error repeats the value', async () => {
    const account = await bench.account('first');
    const secret = 'PLANTED-in-a-wrong-field';
    const refusals = await Promise.all([
      refusal(connect(account, { provider: 'smtq' })),
      refusal(connect(account, { credentials: { user: secret } })),
      refusal(connect(account, { credentials: { ...account.credentials, token: secret } })),
      refusal(connect(account, { credentials: secret })),
      refusal(connect(account, { options: { host: `${secret} !` } })),
      refusal(connect(account, { name: `two\n${secret}` })),
      refusal(bench.service.connectors.update(bench.workspaceId, 'con_none', {})),
    ]);
    assert.equal(
      refusals.map(({ code, details }) => [code, details?.[0]?.path]),
      [
        'provider',
        'credentials.pass',
        'credentials.token',
        'credentials',
        'options.host',
        'connector.name',
        'changes',
      ].map((path) => ['validation_failed', path]),
    );
    assert.match(refusals[0]?.message ?? '', /Did you mean smtp\?|Available: smtp/);
    assert.not.match(JSON.stringify(refusals.map(({ message, details }) => [message, details])), secret);
  });

  test("another workspace's connector is not found, and sends no mail of this workspace", async () => {
    const account = await bench.account('first');
    const { id } = await connect(account, {}, bench.foreignWorkspaceId);
    const { connectors } = bench.service;
    for (const call of [
      () => connectors.update(bench.workspaceId, id, { name: 'Mine' }),
      () => connectors.delete(bench.workspaceId, id),
    ])
      assert.is((await refusal(call())).code, 'connector_not_found');
    assert.is((await refusal(connectors.list('ws_none'))).code, 'workspace_not_found');
    await send('ada@example.org');
    assert.equal([bench.reached(bench.sink), bench.reached(account.sink)], [['ada@example.org'], []]);
  });

  test('the template chooses the connector first, then the category; other mail goes through the oldest remaining connector', async () => {
    await bench.publish('newsletter', { category: 'marketing' });
    await bench.publish('code');
    const accounts = await Promise.all(['one', 'two', 'three', 'four'].map((pass) => bench.account(pass)));
    const [rest, marketing, code, later] = accounts as [
      SubmissionAccount,
      SubmissionAccount,
      SubmissionAccount,
      SubmissionAccount,
    ];
    const all = await connect(rest);
    await connect(marketing, { uses: { categories: ['marketing'] } });
    await connect(code, { uses: { templates: ['code'] } });
    await connect(later);
    const id = await send('rest@example.org');
    await send('news@example.org', 'newsletter');
    await send('code@example.org', 'code');
    assert.equal(
      accounts.map(({ sink }) => bench.reached(sink)),
      [['rest@example.org'], ['news@example.org'], ['code@example.org'], []],
    );
    assert.is((await bench.readSend(id)).connectorProvider, 'smtp');
    const { body } = await bench.request('/v1/connectors');
    const used = body.data.find((row: { id: string }) => row.id === all.id).lastUsedAt;
    assert.is(used, new Date(bench.now()).toISOString());
    const conflict = await refusal(connect(later, { uses: { categories: ['marketing', 'system'] } }));
    assert.equal([conflict.code, /marketing already/.test(conflict.message)], ['state_conflict', true]);
  });

  test('a refused login revokes the connector and delays its messages, while other connectors deliver', async () => {
    await bench.publish('code');
    const [good, other] = [await bench.account('right'), await bench.account('other')];
    const { id } = await connect({ ...good, credentials: { user: 'post', pass: 'wrong' } });
    await connect(other, { uses: { templates: ['code'] } });
    const delayedSend = await send('later@example.org');
    await send('code@example.org', 'code');
    assert.equal([bench.reached(good.sink), bench.reached(other.sink)], [[], ['code@example.org']]);
    assert.is((await bench.readSend(delayedSend)).status, 'delivery_delayed');
    const statusOf = async () =>
      (await bench.request('/v1/connectors')).body.data.find((row: { id: string }) => row.id === id).status;
    assert.is(await statusOf(), 'revoked');
    const { connections } = good.sink;
    bench.advanceClock(minute);
    await bench.drain();
    assert.is(good.sink.connections, connections, 'refused credentials were tried again');
    await bench.service.connectors.update(bench.workspaceId, id, { credentials: good.credentials });
    assert.is(await statusOf(), 'connected');
    bench.advanceClock(10 * minute);
    await bench.drain();
    assert.equal(bench.reached(good.sink), ['later@example.org']);
    assert.is((await bench.readSend(delayedSend)).status, 'sent');
    assert.ok((await audited()).includes('connector.revoked'));
  });

  test('a template with at-most-once delivery waits for new credentials, too', async () => {
    await bench.publish('once', { delivery: 'at-most-once' });
    const account = await bench.account('right');
    const { id } = await connect({ ...account, credentials: { user: 'post', pass: 'wrong' } });
    const first = await send('first@example.org', 'once');
    const second = await send('second@example.org', 'once');
    assert.equal(
      [(await bench.readSend(first)).status, (await bench.readSend(second)).status],
      ['delivery_delayed', 'delivery_delayed'],
    );
    await bench.service.connectors.update(bench.workspaceId, id, { credentials: account.credentials });
    bench.advanceClock(minute);
    await bench.drain();
    assert.equal([...bench.reached(account.sink)].sort(), ['first@example.org', 'second@example.org']);
  });

  test('new options or a deletion close the open connections', async () => {
    const [first, second] = [await bench.account('same'), await bench.account('same')];
    const { id } = await connect(first);
    await send('first@example.org');
    assert.is(first.sink.open, 1);
    await bench.service.connectors.update(bench.workspaceId, id, { options: second.options });
    await first.sink.until(({ open }) => open === 0);
    await send('second@example.org');
    assert.equal(bench.reached(second.sink), ['second@example.org']);
    await bench.service.connectors.delete(bench.workspaceId, id);
    await second.sink.until(({ open }) => open === 0);
    await send('third@example.org');
    assert.equal(bench.reached(bench.sink), ['third@example.org']);
  });

  test('a workspace has at most 50 connectors', async () => {
    const account = await bench.account('first');
    for (let created = 0; created < 50; created += 1) await connect(account);
    assert.is((await refusal(connect(account))).code, 'limit_reached');
  });
});
