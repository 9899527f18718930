// Plans that programs give to workspaces: the default plan, custom plans and figures, and the messages of limits. Also: sandbox-only
// fields, dry runs and the scopes of presets.
import * as assert from 'uvu/assert';
import { createRegistry } from '../../core/kernel/registry.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const defaultFrom = { email: 'hello@example.com', name: 'Example' };
const variables = { name: 'Ada' };

/**
 * The expected presets, limited to the scopes of the standard plugins. In addition, send can follow and withdraw held calls, and
 * author can propose templates.
 */
const contract = {
  read: 'workspace:read brand:read templates:read sends:read suppressions:read messaging.transactional.read social:posts:read pages:read compositions:read sequences:read contacts:read marketing:read campaigns:read lists:read approvals:read links:read connectors:read audit:read keys:read assets:read topics:read broadcasts:read jobs:read',
  send: 'workspace:read brand:read templates:read templates:send sends:read suppressions:read messaging.transactional.read messaging.transactional.send events:write sequences:read sequences:trigger flows:enroll contacts:read contacts:write social:posts:read social:posts:write social:posts:publish links:read links:write assets:read assets:write approvals:read approvals:submit topics:read broadcasts:read',
  more: 'brand:write pages:write pages:publish pages:export compositions:write social:posts:write campaigns:write marketing:write lists:write links:write contacts:write sequences:write assets:write approvals:submit templates:propose topics:write broadcasts:write',
};

await twoDatabases('plans of workspaces', (test, database) => {
  let bench: MailBench;
  test.before(async () => {
    bench = await openMailBench(database, { plans: { team: { tier: 2, monthlySendBudget: 2, keyOptional: false } } });
    await bench.publish('receipt');
  });
  test.after(() => bench.close());

  const keyFor = async (plan?: string): Promise<{ readonly id: string; readonly key: string }> => {
    const { id } = await bench.service.workspaces.create({
      name: 'Planned',
      defaultFrom,
      ...(plan === undefined ? {} : { plan }),
    });
    const calls = bench.service.as(id);
    await calls.templates.create({ key: 'hi', mode: 'html', subject: 'Hi', body: '<p>Hello {{name}}</p>' });
    await calls.templates.publish({ key: 'hi' });
    const { secret } = await bench.service.keys.create({ workspaceId: id, name: 'all', preset: 'full' });
    return { id, key: secret };
  };
  const post = (key: string, headers: Readonly<Record<string, string>> = {}) =>
    bench.request('/v1/templates/hi/send', { key, body: { to: 'ada@example.org', variables }, headers });

  test('a workspace without a plan is unmetered, has every feature and needs no Idempotency-Key', async () => {
    const { key } = await keyFor();
    const { body } = await bench.request('/v1/workspace', { key });
    assert.is(body.plan, 'embedded');
    assert.is(body.limits.monthly_send_budget, null);
    assert.is(body.usage.credits_balance, null);
    assert.is((await post(key)).status, 202);
  });

  test('a custom plan counts sends, requires an Idempotency-Key from tier 2 on (except in dry runs), and its errors name the remedy', async () => {
    const { id, key } = await keyFor('team');
    assert.is((await post(key)).body.error.code, 'idempotency_key_invalid');
    assert.is((await post(key, { 'dry-run': 'true' })).status, 202);
    assert.is((await post(key, { 'idempotency-key': 'a' })).status, 202);
    assert.is((await post(key, { 'idempotency-key': 'b' })).status, 202);
    const { status, body } = await post(key, { 'idempotency-key': 'c' });
    assert.is(status, 402);
    assert.match(
      body.error.message,
      /^The budget of the plan team, 2 sends a month, is used up.*2026-02-01T.*larger plan/,
    );
    await bench.service.workspaces.update(id, { figures: { monthlySendBudget: 3, keyOptional: true } });
    assert.is((await post(key)).status, 202);
    assert.is((await post(key)).status, 402);
    await bench.service.workspaces.update(id, { figures: { monthlySendBudget: Number.POSITIVE_INFINITY } });
    assert.is(
      (await post(key)).status,
      202,
      'the other figures do not change, and an unlimited figure is stored as unlimited',
    );
    await bench.service.workspaces.update(id, { figures: null });
    assert.is((await post(key, { 'idempotency-key': 'd' })).status, 402);
  });

  test('an unknown plan and an invalid figure are refused, and the error names them', async () => {
    const refusal = async (workspace: object): Promise<string> => {
      const creation = bench.service.workspaces.create({ name: 'Wrong', defaultFrom, ...workspace });
      return creation.then(
        () => 'accepted',
        (error: Error) => error.message,
      );
    };
    assert.match(await refusal({ plan: 'taem' }), /^plan must be one of .*\bteam\b.*Did you mean team\?/);
    assert.match(await refusal({ figures: { monthlySends: 3 } }), /figures has no limit monthlySends/);
    assert.match(await refusal({ figures: { monthlySendBudget: -1 } }), /figures\.monthlySendBudget is a number/);
  });

  test('a rate limit error names the plan, its figures and the remedy', async () => {
    const { id, key } = await keyFor('team');
    await bench.service.workspaces.update(id, { figures: { keyRate: 1, keyBurst: 1 } });
    await bench.request('/v1/workspace', { key });
    const { status, headers, body } = await bench.request('/v1/workspace', { key });
    assert.is(status, 429);
    assert.match(body.error.message, /the plan team allows each key 1 a second, 1 at once\..*larger plan/);
    assert.ok(Number(headers['Retry-After']) > 0);
  });

  test('a sandbox-only field is a validation error on the live side', async () => {
    const { key } = await keyFor();
    const { status, body } = await bench.request('/v1/templates/hi/send', {
      key,
      body: { to: 'ada@example.org', variables, simulationScenario: 'delivered' },
    });
    assert.equal([status, body.error.code, body.error.type], [422, 'sandbox_only', 'validation_error']);
  });

  test('the presets of the standard plugins have the expected scopes', () => {
    const { scopes } = createRegistry(standardPlugins, []);
    const declaredScopes = (names: string): string[] =>
      [...new Set(names.split(' '))].filter((name) => scopes.has(name)).sort();
    assert.equal(scopes.preset('read').sort(), declaredScopes(contract.read));
    assert.equal(scopes.preset('send').sort(), declaredScopes(contract.send));
    assert.equal(scopes.preset('author').sort(), declaredScopes(`${contract.read} ${contract.more}`));
    for (const name of ['read', 'send', 'author'] as const)
      assert.not.ok(scopes.expand(scopes.preset(name)).has('contacts:erase'), name);
    assert.ok(scopes.preset('full').includes('contacts:erase'));
  });
});
