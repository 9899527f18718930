// The workspace: its fields, provisioning, suspension and members.
// full-run: slow
import * as assert from 'uvu/assert';
import { sqlLimits } from '../../adapters/limits/sql.ts';
import type { NewWorkspace } from '../../core/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const people = [
  { uid: 'u1', name: 'Ada', email: 'ada@example.com', role: 'owner', password: 'not for the wire' },
  { uid: 'u2', name: 'Alan', email: 'alan@example.com', role: 'member' },
];
const from = { email: 'hello@example.com', name: 'Example' };
const variables = { name: 'Ada' };

await eachDatabase('workspaces', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database, {
      limits: sqlLimits(),
      members: { list: async (workspaceId) => (workspaceId === bench.workspaceId ? people : []) },
    });
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const codeOf = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
    } catch (error) {
      return (error as { code: string }).code;
    }
    return 'accepted';
  };
  const send = (key = bench.liveKey) => bench.send('receipt', { to: 'ada@example.org', variables }, { key });

  test('a workspace has exactly its fields, with the limits and the usage of its plan', async () => {
    const { status, body } = await bench.request('/v1/workspace');
    assert.is(status, 200);
    assert.equal(body, {
      id: bench.workspaceId,
      name: 'Under test',
      plan: 'pro',
      created_at: '2026-01-01T00:00:00.000Z',
      limits: { monthly_send_budget: 50_000, rate_limit_per_minute: null },
      default_from: from,
      usage: { sends_this_month: 0, credits_balance: 3_000 },
      features: standardPlugins.map((plugin) => plugin.id),
    });
    await send();
    await send(bench.testKey);
    assert.is((await bench.request('/v1/workspace')).body.usage.sends_this_month, 1);
  });

  test('unlimited is returned as null', async () => {
    const { id } = await bench.service.workspaces.create({ name: 'Trial', plan: 'sandbox', defaultFrom: from });
    const record = await bench.service.as(id).workspace.read();
    const unlimited = null;
    assert.equal(record.limits, { monthly_send_budget: unlimited, rate_limit_per_minute: unlimited });
    assert.is(record.usage.credits_balance, unlimited);
  });

  test("the members come from the program's directory, and have only the fields of a member", async () => {
    const { body } = await bench.request('/v1/workspace/members');
    const [{ password: _, ...ada }, alan] = people as [(typeof people)[0], (typeof people)[1]];
    assert.equal(body, { data: [ada, alan], next_cursor: null });
    assert.equal((await bench.service.as(bench.foreignWorkspaceId).workspace.members({})).data, []);
  });

  test('members are listed in pages, like every list', async () => {
    const first = (await bench.request('/v1/workspace/members?limit=1')).body;
    assert.equal(
      first.data.map(({ uid }: { uid: string }) => uid),
      ['u1'],
    );
    const second = (await bench.request(`/v1/workspace/members?limit=1&cursor=${first.next_cursor}`)).body;
    assert.equal([second.data.map(({ uid }: { uid: string }) => uid), second.next_cursor], [['u2'], null]);
  });

  test('a workspace keeps its settings, and an update changes only the given fields', async () => {
    const created = await bench.service.workspaces.create({ name: 'Shop', defaultFrom: from });
    assert.equal([created.plan.name, created.sendingDomains, created.suspended], ['embedded', ['example.com'], false]);
    const sendingDomains = ['Mail.Example.COM', 'mail.example.com', 'müller.example'];
    await bench.service.workspaces.update(created.id, {
      name: 'Shop 2',
      plan: 'scale',
      sendingDomains,
      grantCredits: 7,
    });
    const record = await bench.service.workspaces.read(created.id);
    assert.equal([record.name, record.plan.name, record.defaultFrom], ['Shop 2', 'scale', from]);
    assert.equal([...record.sendingDomains].sort(), ['example.com', 'mail.example.com', 'xn--mller-kva.example']);
    assert.is((await bench.service.as(created.id).workspace.read()).usage.credits_balance, 20_007);
    const { data } = await bench.service.as(created.id).audit.list({ action: 'workspace.*' });
    assert.equal(
      data.map(({ action }) => action),
      ['workspace.update', 'workspace.create'],
    );
  });

  test('settings with which no mail could be sent are refused', async () => {
    const wrong: Record<string, Partial<NewWorkspace>> = {
      plan: { plan: 'gold' as never },
      address: { defaultFrom: { email: 'nobody', name: 'x' } },
      nul: { defaultFrom: { email: 'a\0@example.com', name: 'x' } },
      name: { defaultFrom: { ...from, name: 'a\r\nBcc: eve@example.org' } },
      domain: { sendingDomains: ['not a domain'] },
      at: { sendingDomains: ['@example.com'] },
      credits: { credits: -1 },
      fraction: { credits: 0.5 },
    };
    for (const [title, input] of Object.entries(wrong)) {
      const code = codeOf(bench.service.workspaces.create({ name: 'x', defaultFrom: from, ...input }));
      assert.is(await code, 'validation_failed', title);
      const { credits, ...changes } = input;
      const update = credits === undefined ? changes : { grantCredits: credits };
      assert.is(await codeOf(bench.service.workspaces.update(bench.workspaceId, update)), 'validation_failed', title);
    }
    assert.is(await codeOf(bench.service.workspaces.read('ws_missing')), 'workspace_not_found');
    assert.is(await codeOf(bench.service.as('ws_missing').workspace.read()), 'workspace_not_found');
  });

  test('a suspended workspace allows only reads, on all interfaces, until it is resumed', async () => {
    await bench.service.workspaces.suspend(bench.workspaceId);
    assert.is((await bench.request('/v1/workspace')).status, 200);
    assert.is((await bench.request('/v1/sends')).status, 200);
    const { status, body } = await send();
    assert.equal([status, body.error.type, body.error.code], [403, 'permission_error', 'workspace_suspended']);
    const suppression = { body: { email: 'a@example.org' }, headers: { 'idempotency-key': 'suspended' } };
    assert.is((await bench.request('/v1/suppressions', suppression)).body.error.code, 'workspace_suspended');
    const tool = await bench.tool('create_template', { key: 'suspended' });
    assert.is(tool.body.error.code, 'workspace_suspended');
    assert.is(await codeOf(bench.service.as(bench.workspaceId).templates.create({})), 'workspace_suspended');
    const keyWithoutScope = await bench.keyWith(['templates:read']);
    assert.is((await send(keyWithoutScope)).body.error.code, 'insufficient_scope', 'the scope is checked first');
    await bench.service.workspaces.resume(bench.workspaceId);
    assert.is((await send()).status, 202);
    const { body: audit } = await bench.request('/v1/audit?action=workspace.*&limit=2');
    assert.equal(
      audit.data.map(({ action }: { action: string }) => action),
      ['workspace.resume', 'workspace.suspend'],
    );
  });
});
