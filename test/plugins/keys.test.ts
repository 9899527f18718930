// API keys: which keys are admitted, the scopes of each preset, the fields in lists, and how keys are issued and revoked.
import * as assert from 'uvu/assert';
import type { NewKey } from '../../core/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

/** The scopes of each preset, as far as the standard plugins declare them. */
const presets = {
  read: [
    ...['workspace:read', 'brand:read', 'templates:read', 'sends:read', 'suppressions:read'],
    ...['messaging.transactional.read', 'contacts:read', 'lists:read', 'connectors:read'],
    ...['audit:read', 'keys:read', 'assets:read', 'links:read', 'approvals:read', 'sequences:read'],
    ...['social:posts:read', 'campaigns:read', 'marketing:read', 'pages:read', 'compositions:read'],
    ...['topics:read', 'broadcasts:read', 'jobs:read'],
  ],
  send: [
    ...['workspace:read', 'brand:read', 'templates:read', 'templates:send', 'sends:read', 'suppressions:read'],
    ...['messaging.transactional.read', 'messaging.transactional.send'],
    ...['contacts:read', 'contacts:write', 'events:write', 'assets:read', 'assets:write'],
    ...['links:read', 'links:write', 'sequences:read', 'sequences:trigger', 'flows:enroll'],
    ...['social:posts:read', 'social:posts:write', 'social:posts:publish', 'approvals:read', 'approvals:submit'],
    ...['topics:read', 'broadcasts:read'],
  ],
  author: [
    ...['workspace:read', 'brand:read', 'brand:write', 'templates:read', 'templates:propose', 'sends:read'],
    ...['suppressions:read', 'messaging.transactional.read'],
    ...['contacts:read', 'contacts:write', 'lists:read', 'lists:write', 'connectors:read', 'audit:read', 'keys:read'],
    ...['assets:read', 'assets:write', 'links:read', 'links:write', 'approvals:read', 'approvals:submit'],
    ...['sequences:read', 'sequences:write', 'social:posts:read', 'social:posts:write'],
    ...['campaigns:read', 'campaigns:write', 'marketing:read', 'marketing:write'],
    ...['pages:read', 'pages:write', 'pages:publish', 'pages:export', 'compositions:read', 'compositions:write'],
    ...['topics:read', 'topics:write', 'broadcasts:read', 'broadcasts:write', 'jobs:read'],
  ],
} as const;

const hour = 3_600_000;

await twoDatabases('API keys', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const issue = ({ preset, scopes = ['keys:read'], ...key }: Partial<NewKey> = {}) =>
    bench.service.keys.create({
      workspaceId: bench.workspaceId,
      name: 'a key',
      ...key,
      ...(preset === undefined ? { scopes } : { preset }),
    });
  const refusalOf = async (headers: Readonly<Record<string, string>>) => {
    const { status, body, headers: answered } = await bench.request('/v1/keys', { key: '', headers });
    assert.is(status, 401, JSON.stringify(body));
    assert.match(answered['WWW-Authenticate'] ?? '', /^Bearer /);
    assert.is(
      Object.keys(answered).some((name) => name.startsWith('X-RateLimit')),
      false,
    );
    return `${body.error.type} ${body.error.code}`;
  };
  const errorOf = async (work: Promise<unknown>): Promise<{ code: string; message: string }> => {
    try {
      await work;
    } catch (error) {
      return error as { code: string; message: string };
    }
    throw new Error('the call was not refused');
  };

  test('only a valid key is admitted, and a mistyped key gets the answer for an unknown key', async () => {
    const { secret } = await issue();
    const last = secret.endsWith('0') ? '1' : '0';
    const authorizations = [
      ...['', 'Bearer', 'Bearer ', secret, `Basic ${secret}`, `Bearer ${secret.slice(0, -1)}${last}`],
      ...[
        `Bearer ${secret.slice(0, -1)}`,
        `Bearer ${secret}x`,
        `Bearer ${secret} ${secret}`,
        `Bearer ${secret.toUpperCase()}`,
      ],
      ...[`Bearer ${secret.replace('_live_', '_test_')}`, `Bearer other${secret.slice(9)}`, 'Bearer null'],
    ];
    const answers = new Set<string>();
    for (const authorization of authorizations) answers.add(await refusalOf({ authorization }));
    assert.equal([...answers], ['authentication_error invalid_api_key']);
    assert.is((await bench.request('/v1/keys', { key: secret })).status, 200);
    assert.is(
      (await bench.request('/v1/keys', { key: '', headers: { authorization: `bEARER  ${secret}` } })).status,
      200,
    );
  });

  test('a key of another service with the same format is unknown in this service', async () => {
    const otherBench = await openMailBench(database);
    assert.is((await bench.request('/v1/keys', { key: otherBench.liveKey })).status, 401);
    await otherBench.close();
  });

  test('an expired key is refused from the exact millisecond of its expiry', async () => {
    const { secret: key } = await issue({ expiresAt: new Date(bench.now() + hour) });
    bench.advanceClock(hour - 1);
    assert.is((await bench.request('/v1/keys', { key })).status, 200);
    bench.advanceClock(1);
    assert.is((await bench.request('/v1/keys', { key })).body.error.code, 'invalid_api_key');
  });

  test('a revoked key is refused at its next call, over REST and at the MCP endpoint, and a second revocation changes nothing', async () => {
    const { id, secret: key } = await issue({ mode: 'mcp' });
    assert.is((await bench.tool('list_api_keys', {}, key)).isError, false);
    await bench.service.keys.revoke(bench.workspaceId, id);
    const tool = await bench.tool('list_api_keys', {}, key);
    assert.is(tool.status, 401);
    assert.is(tool.body.error.data.error.code, 'invalid_api_key');
    assert.is((await bench.request('/v1/keys', { key })).status, 401);
    const revokedAt = (await bench.request(`/v1/keys/${id}`)).body.revoked_at;
    bench.advanceClock(hour);
    await bench.service.keys.revoke(bench.workspaceId, id);
    assert.is((await bench.request(`/v1/keys/${id}`)).body.revoked_at, revokedAt);
  });

  test('a key that does not exist, or belongs to another workspace, cannot be revoked or refreshed', async () => {
    const { id, secret: key } = await issue({ preset: 'read' });
    for (const [owner, wrong] of [
      [bench.workspaceId, 'key_missing'],
      [bench.foreignWorkspaceId, id],
    ] as const) {
      assert.is((await errorOf(bench.service.keys.revoke(owner, wrong))).code, 'key_not_found');
      assert.is((await errorOf(bench.service.keys.refreshPreset(owner, wrong))).code, 'key_not_found');
    }
    assert.is((await bench.request('/v1/keys', { key })).status, 200);
  });

  test('keys of every mode are admitted over REST and at the MCP endpoint, and the prefix states the mode', async () => {
    for (const mode of ['live', 'test', 'mcp'] as const) {
      const { secret, prefix } = await issue({ mode, preset: 'full' });
      assert.match(secret, new RegExp(`^postrider_${mode}_[0-9A-Za-z]{49}$`));
      assert.is(prefix, secret.slice(0, `postrider_${mode}_`.length + 6));
      assert.is((await bench.request('/v1/workspace', { key: secret })).status, 200);
      assert.is((await bench.tool('read_workspace', {}, secret)).isError, false);
    }
  });

  test('a request for a sandbox key never creates a live key, and a request for a live key never creates a sandbox key', async () => {
    assert.is((await issue({ mode: 'mcp', sandbox: true })).sandbox, true);
    assert.is((await issue({ mode: 'mcp' })).sandbox, false);
    assert.is((await issue({ mode: 'test' })).sandbox, true);
    for (const key of [
      { mode: 'live', sandbox: true },
      { mode: 'test', sandbox: false },
      { mode: 'dev' },
    ] as Partial<NewKey>[]) {
      assert.is((await errorOf(issue(key))).code, 'validation_failed', JSON.stringify(key));
    }
  });

  for (const [preset, scopes] of Object.entries(presets)) {
    test(`the preset ${preset} has exactly its scopes`, async () => {
      const key = await issue({ preset: preset as 'read' });
      assert.equal([...key.scopes].sort(), [...scopes].sort());
      const keyRecord = (await bench.request(`/v1/keys/${key.id}`)).body;
      assert.equal([keyRecord.preset, [...keyRecord.scopes].sort()], [preset, [...scopes].sort()]);
      const canSend = (
        await bench.send('receipt', { to: 'a@example.org', variables: { name: 'A' } }, { key: key.secret })
      ).status;
      assert.is(canSend, preset === 'send' ? 202 : 403);
      assert.is((await bench.request('/v1/templates', { body: {}, key: key.secret })).status, 403);
      assert.is((await bench.request('/v1/templates', { key: key.secret })).status, 200);
    });
  }

  test('the preset full has every declared scope, including the scope for bypasses', async () => {
    const { scopes } = await issue({ preset: 'full' });
    assert.equal([...scopes].sort(), [...bench.service.core.registry.scopes.preset('full')].sort());
    assert.ok(scopes.includes('suppressions:bypass'));
  });

  test('the scopes of a key do not change until its preset is refreshed', async () => {
    const { id, secret: key } = await issue({ preset: 'read' });
    const db = await bench.service.core.database();
    // The key looks as if an older release, with fewer scopes in its preset, had issued it.
    await db.transact(async (scope) => {
      const { db: rows } = scope.handle(bench.workspaceId);
      const scopes = JSON.stringify(['workspace:read']);
      await rows
        .updateTable('api_keys')
        .set({ scopes })
        .where('workspace_id', '=', bench.workspaceId)
        .where('id', '=', id)
        .execute();
    });
    assert.is((await bench.request('/v1/keys', { key })).status, 403);
    const refreshedKey = await bench.service.keys.refreshPreset(bench.workspaceId, id);
    assert.equal([...refreshedKey].sort(), [...presets.read].sort());
    assert.is((await bench.request('/v1/keys', { key })).status, 200);
    const custom = await issue({ scopes: ['keys:read'] });
    assert.is((await errorOf(bench.service.keys.refreshPreset(bench.workspaceId, custom.id))).code, 'state_conflict');
  });

  test('a key can only have scopes that a composed plugin declares', async () => {
    const unknown = await errorOf(issue({ scopes: ['keys:read', 'rockets:launch'] }));
    assert.equal([unknown.code, unknown.message.includes('rockets:launch')], ['validation_failed', true]);
    assert.is((await errorOf(issue({ scopes: [] }))).code, 'validation_failed');
    assert.is((await errorOf(issue({ workspaceId: 'ws_missing' }))).code, 'workspace_not_found');
    assert.is((await errorOf(issue({ expiresAt: new Date('never') }))).code, 'validation_failed');
  });

  test('lists and reads show every field, but never a secret or its hash', async () => {
    const expiresAt = new Date(bench.now() + hour);
    const { id, secret, prefix } = await issue({ name: 'shop', createdBy: 'ada@example.com', expiresAt });
    const keyRecord = (await bench.request(`/v1/keys/${id}`)).body;
    assert.equal(keyRecord, {
      id,
      name: 'shop',
      mode: 'live',
      sandbox: false,
      prefix,
      scopes: ['keys:read'],
      preset: null,
      created_at: new Date(bench.now()).toISOString(),
      last_used_at: null,
      expires_at: expiresAt.toISOString(),
      revoked_at: null,
      created_by: 'ada@example.com',
      members: [],
      leash: null,
      grant_id: null,
      client: null,
    });
    const list = await bench.request('/v1/keys?limit=100');
    assert.equal(list.body.data[0], keyRecord);
    const text = JSON.stringify([
      list.body,
      (await bench.tool('list_api_keys', {})).body,
      (await bench.request('/v1/audit?limit=100')).body,
    ]);
    assert.is(text.includes(secret.slice(prefix.length)), false);
    const db = await bench.service.core.database();
    const { rows } = await db.driver.read((connection) =>
      connection.query({ sql: `select secret_hash from ${db.prefix}api_keys`, parameters: [] }),
    );
    for (const row of rows) assert.is(text.includes(String(row.secret_hash)), false);
  });

  test('the time of last use is written at intervals, not at every call', async () => {
    const { id, secret: key } = await issue();
    await bench.request('/v1/keys', { key });
    const usedAt = new Date(bench.now()).toISOString();
    bench.advanceClock(1_000);
    await bench.drain();
    assert.is((await bench.request(`/v1/keys/${id}`)).body.last_used_at, usedAt);
  });

  test('the audit records that a key is issued, refreshed and revoked', async () => {
    const { id } = await issue({ preset: 'read' });
    await bench.service.keys.refreshPreset(bench.workspaceId, id);
    await bench.service.keys.revoke(bench.workspaceId, id);
    const { body } = await bench.request('/v1/audit?action=key.*&limit=100');
    const entries = body.data.filter((entry: { target: { id: string } }) => entry.target.id === id);
    assert.equal(
      entries.map(({ action }: { action: string }) => action),
      ['key.revoke', 'key.refresh_preset', 'key.create'],
    );
    assert.equal(entries[0].actor, { kind: 'service' });
  });
});
