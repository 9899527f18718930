// The option access of createService: the visitor that a page sees for each return value of `access`. With an invalid value nobody is
// signed in.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CoreOptions, definePlugin, definePublicRoute, defineScopes, type Visitor } from '../../core/index.ts';
import { pageRequest } from '../../core/unstable.ts';
import { createTestService, type ParsedJson } from '../../hosts/testing/test-service.ts';

const test = suite('signed-in members');

const scopes = defineScopes([
  { scope: 'notes:read', description: 'See notes.', presets: ['read'] },
  { scope: 'notes:write', description: 'Write notes.' },
]);

/** The visitor that a page sees if the program returns `access`. */
async function visitorOf(
  access: ParsedJson,
): Promise<{ readonly visitor: Visitor; readonly errors: readonly string[] }> {
  const visitors: Visitor[] = [];
  const errors: string[] = [];
  const silent = () => undefined;
  const page = definePublicRoute({
    http: 'GET /page',
    description: 'For tests.',
    async handler({ ports }, request) {
      visitors.push(await ports.access.visitor(pageRequest(request)));
      return { status: 200, headers: {}, body: '' };
    },
  });
  const bench = await createTestService({
    plugins: [definePlugin({ id: 'notes', scopes, publicRoutes: [page] })],
    logger: { debug: silent, info: silent, warn: silent, error: (_fields, message) => void errors.push(message) },
    ...(access === undefined ? {} : { access }),
  });
  try {
    await bench.request('/page?x=1', { key: '', headers: { cookie: 'session=s_1' } });
  } finally {
    await bench.close();
  }
  const [visitor] = visitors;
  assert.ok(visitor);
  return { visitor, errors };
}

const ada = { member: 'u_ada', name: 'Ada', workspaces: [] };

test('the program sees method, path, headers and cookies, and returns member, workspaces and scopes', async () => {
  const { visitor, errors } = await visitorOf(async ({ method, url, cookies }: ParsedJson) => {
    assert.equal([method, url, cookies], ['GET', '/page?x=1', { session: 's_1' }]);
    const workspaces = [
      { id: 'ws_1', scopes: ['notes:write', 'unknown:read'], sides: ['sandbox'] },
      { id: 'ws_2', scopes: 'read' },
    ];
    return { ...ada, workspaces, signOutUrl: '/sign-out' };
  });
  assert.equal(errors, []);
  assert.equal(visitor, {
    kind: 'member',
    member: 'u_ada',
    name: 'Ada',
    workspaces: [
      { id: 'ws_1', scopes: new Set(['notes:write', 'notes:read']), sides: ['sandbox'] },
      { id: 'ws_2', scopes: new Set(['notes:read']), sides: ['live', 'sandbox'] },
    ],
    signOutUrl: '/sign-out',
  });
});

test('nobody is signed in if the option is missing or returns null', async () => {
  for (const access of [undefined, () => null, () => undefined]) {
    const { visitor, errors } = await visitorOf(access);
    assert.equal([visitor, errors], [{ kind: 'signed_out', signInUrl: undefined }, []]);
  }
  const { visitor } = await visitorOf(() => ({ signInUrl: '/sign-in' }));
  assert.equal(visitor, { kind: 'signed_out', signInUrl: '/sign-in' });
});

test('with an invalid value nobody is signed in, and the value is logged', async () => {
  for (const answer of [
    true,
    'u_ada',
    {},
    { member: 'u_ada' },
    { ...ada, member: '' },
    { ...ada, workspaces: 'all' },
    { ...ada, workspaces: ['ws_1'] },
    { ...ada, workspaces: [{ id: 'ws_1' }] },
    { ...ada, workspaces: [{ id: 'ws_1', scopes: 'everything' }] },
    { ...ada, workspaces: [{ id: 'ws_1', scopes: ['notes:read'], sides: [] }] },
    { ...ada, workspaces: [{ id: 'ws_1', scopes: ['notes:read'], sides: ['live', 'staging'] }] },
    { ...ada, signOutUrl: 'javascript:alert(1)' },
    { signInUrl: 'javascript:alert(1)' },
    { signInUrl: '//evil.example' },
    { signInUrl: '/\\evil.example' },
    { signInUrl: 'sign-in' },
  ]) {
    const { visitor, errors } = await visitorOf(() => answer);
    assert.equal(visitor, { kind: 'signed_out', signInUrl: undefined }, JSON.stringify(answer));
    assert.is(errors.length, 1);
    assert.match(errors[0] ?? '', 'The option access must return');
  }
});

test('createService refuses an option that is not a function', async () => {
  const access = { member: 'u_ada' } as unknown as NonNullable<CoreOptions['access']>;
  try {
    await createTestService({ plugins: [], access });
    assert.unreachable();
  } catch (error) {
    assert.match(String(error), 'The option access of createService must be a function');
  }
});

test.run();
