// Input for provisioning is validated like the input of operations: errors have codes and paths, and unknown fields are refused.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPostriderError, type NewKey, type NewWorkspace } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { suppressionsPlugin } from '../../plugins/suppressions/index.ts';
import { workspacePlugin } from '../../plugins/workspace/index.ts';

const test = suite('input of provisioning');

const testService = await createTestService({ plugins: [workspacePlugin(), suppressionsPlugin()] });
const { workspaces, keys } = testService.service;
const defaultFrom = { email: 'hello@example.com', name: 'Shop' };
const shop = { name: 'Shop', defaultFrom };
const key = { workspaceId: testService.workspaceId, name: 'backend', preset: 'send' } as const;

/** Returns the paths of the faults, and the message. */
async function faults(call: Promise<unknown>): Promise<readonly [paths: string, message: string]> {
  const error = await call.then(
    () => assert.unreachable('accepted'),
    (thrown: unknown) => thrown,
  );
  if (!isPostriderError(error, 'validation_failed')) throw error;
  return [(error.details ?? []).map(({ path }) => path).join(), error.message];
}

async function expectFaults(call: Promise<unknown>, paths: string, message: RegExp): Promise<void> {
  const actual = await faults(call);
  assert.is(actual[0], paths);
  assert.match(actual[1], message);
}

test('a key needs either a preset or scopes, but not both', async () => {
  // @ts-expect-error: both
  const both: NewKey = { ...key, scopes: ['workspace:read'] };
  await expectFaults(keys.create(both), 'scopes', /^scopes: Give either a preset or scopes, not both/);
  // @ts-expect-error: neither
  const neither: NewKey = { workspaceId: testService.workspaceId, name: 'backend' };
  await expectFaults(keys.create(neither), 'scopes', /A key needs scopes, or a preset: read, send, author, full\./);
  await expectFaults(
    keys.create({ workspaceId: testService.workspaceId, name: 'backend', scopes: [] }),
    'scopes',
    /A key needs scopes/,
  );
});

test('a new key is validated field by field', async () => {
  const make = (more: object): Promise<unknown> => keys.create({ ...key, ...more } as NewKey);
  await expectFaults(make({ preset: 'sent' }), 'preset', /preset must be one of read, .*Did you mean send\?/);
  await expectFaults(make({ expiresAt: '2026-12-01' }), 'expiresAt', /^expiresAt must be a date\.$/);
  await expectFaults(make({ expires: new Date() }), 'expires', /no field expires here\. Did you mean expiresAt\?/);
  await expectFaults(make({ mode: 'dev', sandbox: 1 }), 'mode,sandbox', /mode must be one of live, test or mcp\./);
  await expectFaults(make({ members: ['u_1', ''] }), 'members.1', /must not be empty/);
  await expectFaults(keys.create('ws_1' as never), '', /^The key must be an object with workspaceId, name/);
  await expectFaults(keys.create(undefined as never), '', /^The key is required\.$/);
  await expectFaults(
    make({ preset: undefined, scopes: ['rockets:launch'] }),
    'scopes',
    /^Unknown scopes: rockets:launch\. Composed plugins declare workspace:read, /,
  );
  await expectFaults(
    make({ preset: undefined, scopes: ['suppression:read'] }),
    'scopes',
    /^Unknown scopes: suppression:read\. Did you mean suppressions:read\? Composed plugins declare /,
  );
});

test('a leash is validated field by field, and only keys of mode mcp can have one', async () => {
  const make = (leash: unknown, mode: string = 'mcp'): Promise<unknown> =>
    keys.create({ ...key, mode, leash } as NewKey);
  for (const mode of ['live', 'test'])
    await expectFaults(make({ sendsPerHour: 1 }, mode), 'leash', /^leash: Only keys of mode mcp can have a leash\./);
  await expectFaults(make({ sendsPerHours: 1 }), 'leash.sendsPerHours', /Did you mean sendsPerHour\?/);
  await expectFaults(make({ sendsPerHour: -1 }), 'leash.sendsPerHour', /must be at least 0/);
  await expectFaults(make({ creditsPerDay: 1.5 }), 'leash.creditsPerDay', /must be a whole number/);
  await expectFaults(
    make({ recipientDomains: ['a.example', '@'] }),
    'leash.recipientDomains.1',
    /not a domain, such as /,
  );
  await expectFaults(make({ recipientDomains: [] }), 'leash.recipientDomains', /must not be empty/);
  await expectFaults(make({ expiresAt: 'tomorrow' }), 'leash.expiresAt', /ISO 8601/);
  await expectFaults(make({ holdAbove: 3 }), 'leash.holdAbove', /must be an object/);
  await expectFaults(
    make({ tools: ['read_workspace', 'list_supressions'] }),
    'leash.tools.1',
    /There is no tool list_supressions\. Did you mean list_suppressions\?/,
  );
  await expectFaults(make({}), 'leash', /A leash must have at least one field\. For no limits, give null\./);
  await expectFaults(make('short'), 'leash', /The leash must be an object/);
  const issuedKey = (await make({
    ...{ recipientDomains: ['A.example', 'a.example', 'GoogleMail.com'], expiresAt: '2030-01-01T02:00:00+02:00' },
    ...{ sendsPerHour: undefined, tools: ['read_workspace'] },
  })) as { id: string; leash: object };
  assert.equal(issuedKey.leash, {
    recipientDomains: ['a.example', 'gmail.com'],
    tools: ['read_workspace'],
    expiresAt: '2030-01-01T00:00:00.000Z',
  });
  assert.is(((await make(null, 'live')) as { leash: unknown }).leash, null);
  const live = await keys.create(key);
  const setLeash = (workspaceId: string, id: string, leash: unknown) => keys.setLeash(workspaceId, id, leash as never);
  await expectFaults(
    setLeash(testService.workspaceId, issuedKey.id, { sends: 1 }),
    'leash.sends',
    /no field sends here/,
  );
  await expectFaults(setLeash(testService.workspaceId, issuedKey.id, undefined), 'leash', /is required/);
  const codeOf = async (work: Promise<unknown>) => work.then(String, (error: { code: string }) => error.code);
  assert.is(await codeOf(setLeash(testService.workspaceId, live.id, { sendsPerHour: 1 })), 'state_conflict');
  assert.is(await codeOf(setLeash(testService.foreignWorkspaceId, issuedKey.id, { sendsPerHour: 1 })), 'key_not_found');
  assert.is(await codeOf(setLeash(testService.workspaceId, 'key_missing', null)), 'key_not_found');
});

test('a new workspace is validated field by field', async () => {
  const make = (call: object): Promise<unknown> => workspaces.create(call as NewWorkspace);
  await expectFaults(make({ name: 'Shop' }), 'defaultFrom', /^defaultFrom must be \{ email, name \} /);
  await expectFaults(make({ defaultFrom }), 'name', /^name is required\.$/);
  await expectFaults(make({ ...shop, sendingDomain: 'x.example' }), 'sendingDomain', /Did you mean sendingDomains\?/);
  await expectFaults(
    make({ ...shop, sendingDomains: ['a.example', '@'] }),
    'sendingDomains.1',
    /not a domain, such as /,
  );
  await expectFaults(make({ ...shop, plan: 'pr' }), 'plan', /^plan must be one of sandbox, hobby, pro, /);
  await expectFaults(
    make({ ...shop, figures: { keyRate: 0 } }),
    'figures',
    /^figures\.keyRate is a number of more than 0/,
  );
  await expectFaults(
    make({ ...shop, settings: { scope: 'all' } }),
    'settings.scope',
    /Did you mean unsubscribeScope\?/,
  );
  await expectFaults(
    make({ ...shop, settings: { unsubscribeScope: 'some' } }),
    'settings.unsubscribeScope',
    /must be one of all or marketing/,
  );
  await expectFaults(make({ ...shop, credits: -1 }), 'credits', /^credits must be at least 0\.$/);
  await expectFaults(make(undefined as never), '', /^The workspace is required\.$/);
});

test('workspace changes, workspace pages and key revocation are validated too', async () => {
  const change = (changes: object): Promise<unknown> => workspaces.update(testService.workspaceId, changes);
  await expectFaults(change({ credits: 5 }), 'credits', /There is no field credits here\. Did you mean grantCredits\?/);
  await expectFaults(change({ defaultFrom: null }), 'defaultFrom', /^defaultFrom must be /);
  await expectFaults(workspaces.list({ limit: 501 }), 'limit', /^limit must be at most 500\.$/);
  await expectFaults(workspaces.list({ cursor: 'x' } as never), 'cursor', /There is no field cursor here\./);
  const { id } = await keys.create(key);
  const misspelt = keys.revoke(testService.workspaceId, id, { compromise: true } as never);
  await expectFaults(misspelt, 'compromise', /Did you mean compromised\?/);
});

test('undefined counts as an omitted field', async () => {
  const createdWorkspace = await workspaces.create({
    ...shop,
    plan: undefined,
    figures: undefined,
    credits: undefined,
  } as never);
  assert.is(createdWorkspace.plan.name, 'embedded');
  await workspaces.update(createdWorkspace.id, {
    name: undefined,
    contentHost: undefined,
    grantCredits: undefined,
  } as never);
  assert.is((await workspaces.read(createdWorkspace.id)).name, 'Shop');
});

test.after(() => testService.close());

test.run();
