// Public routes as plugins declare them: which host is served by which, what is refused when it is composed, limits by
// client address, and the forms of a body. Through dispatch; the hosts have tests of their own.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memoryLimits } from '../../adapters/limits/memory.ts';
import { sqlLimits } from '../../adapters/limits/sql.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { HttpRequest, LimitStore, PublicRoute, ServiceOptions } from '../../core/index.ts';
import {
  CompositionError,
  createService,
  definePlugin,
  definePublicRoute,
  hostName,
  tenantRows,
} from '../../core/index.ts';
import { bodyBytes, createTestService } from '../../core/testing/index.ts';
import { crates, isolationPlugin } from './isolation-plugin.ts';
import { notesPlugin } from './notes-plugin.ts';

const test = suite('public routes');

type Declared = Omit<Parameters<typeof definePublicRoute>[0], 'description' | 'handler'> &
  Partial<Pick<PublicRoute, 'handler'>>;

/** A route that answers its own name. */
const named = (name: string, declared: Declared): PublicRoute =>
  definePublicRoute({
    description: name,
    handler: async () => ({ status: 200, headers: {}, body: name }),
    ...declared,
  });

const pluginOf = (id: string, ...publicRoutes: PublicRoute[]) => definePlugin({ id, publicRoutes });

async function withRoutes(
  plugins: ReturnType<typeof pluginOf>[],
  work: (
    ask: (url: string, more?: Partial<HttpRequest>) => Promise<[number, string]>,
    bench: Awaited<ReturnType<typeof createTestService>>,
  ) => Promise<void>,
  options: Partial<ServiceOptions<string>> = {},
): Promise<void> {
  const bench = await createTestService({ plugins, ...options });
  try {
    await work(async (url, more = {}) => {
      const request = { method: 'GET', url, headers: {}, body: undefined, address: '192.0.2.1', ...more };
      const { status, body } = await bench.service.dispatch(request);
      return [status, (await bodyBytes(body)).toString('utf8')];
    }, bench);
  } finally {
    await bench.close();
  }
}

const codeOf = ([status, body]: [number, string]) => [
  status,
  (JSON.parse(body) as { error: { code: string } }).error.code,
];

test('a name of a host has one form', () => {
  const forms = {
    'Acme.Example:3000': 'acme.example',
    'acme.example.': 'acme.example',
    'bücher.example': 'xn--bcher-kva.example',
    'BÜCHER.example': 'xn--bcher-kva.example',
    'xn--bcher-kva.example': 'xn--bcher-kva.example',
    '[2001:DB8:0::1]:80': '[2001:db8::1]',
    '127.0.0.1:80': '127.0.0.1',
    '0x7f.1': '127.0.0.1',
  };
  for (const [given, form] of Object.entries(forms)) assert.is(hostName(given), form, given);
  for (const none of [undefined, '', 'a b', 'a/b', 'a@b', 'a?b', '%61.example', 'a.example, b.example', 'a:b', '[::1'])
    assert.is(hostName(none), undefined, none);
});

test('HTML runs no scripts unless its route says so, and no type is guessed', () =>
  withRoutes(
    [
      pluginOf(
        'pages',
        ...[
          ['plain', { 'Content-Type': 'text/html; charset=utf-8' }],
          ['own', { 'content-type': 'text/html', 'content-security-policy': "script-src 'self'" }],
          ['table', { 'Content-Type': 'text/csv' }],
          ['bare', {}],
        ].map(([name, headers]) =>
          definePublicRoute({
            http: `GET /${name as string}`,
            description: 'For tests.',
            handler: async () => ({ status: 200, headers: headers as Record<string, string>, body: 'x' }),
          }),
        ),
      ),
    ],
    async (_ask, bench) => {
      const headersOf = async (path: string) => (await bench.request(path)).headers;
      const plain = await headersOf('/plain');
      assert.match(plain['Content-Security-Policy'] ?? '', /^default-src 'none'; .*frame-ancestors 'none'$/);
      assert.is(plain['X-Content-Type-Options'], 'nosniff');
      const own = await headersOf('/own');
      assert.is(own['content-security-policy'], "script-src 'self'");
      assert.not('Content-Security-Policy' in own);
      assert.is((await headersOf('/table'))['X-Content-Type-Options'], 'nosniff');
      assert.not('Content-Security-Policy' in (await headersOf('/table')));
      assert.not('X-Content-Type-Options' in (await headersOf('/bare')));
    },
  ));

test('the exact path goes first among the routes of a host, and the first composed plugin among equals', () =>
  withRoutes(
    [
      pluginOf('links', named('links', { http: 'GET /{slug}', hosts: (host) => host !== 'api.example' })),
      pluginOf(
        'pages',
        named('pages', { http: 'GET /{page}', hosts: () => true }),
        named('robots', { http: 'GET /robots.txt', hosts: ['go.example'] }),
        named('every', { http: 'GET /{anything}' }),
      ),
    ],
    async (ask) => {
      const on = async (host: string, url: string) => (await ask(url, { host }))[1];
      assert.is(await on('go.example', '/robots.txt'), 'robots');
      assert.is(await on('other.example', '/robots.txt'), 'links');
      assert.is(await on('go.example', '/abc'), 'links');
      assert.is(await on('api.example', '/abc'), 'pages');
      assert.is((await ask('/abc', { headers: { host: 'go.example:80' } }))[1], 'links');
      assert.is((await ask('/abc'))[1], 'every', 'a request without a host');
    },
  ));

test('what begins with /v1/ is the API on every host, also where a route of that host would match', () =>
  withRoutes(
    [
      pluginOf(
        'pages',
        named('two', { http: 'GET /{a}/{b}', hosts: () => true }),
        named('posted', { http: 'POST /{a}/{b}', hosts: ['go.example'] }),
      ),
      notesPlugin(),
    ],
    async (ask) => {
      const on = (url: string, more: Partial<HttpRequest> = {}) => ask(url, { host: 'go.example', ...more });
      assert.equal(codeOf(await on('/v1/notes')), [401, 'invalid_api_key']);
      assert.equal(codeOf(await on('/v1/nothing')), [404, 'route_not_found']);
      assert.is((await on('/v1/mcp', { method: 'POST' }))[0], 401);
      assert.is((await on('/v2/workspace'))[1], 'two');
      assert.is((await on('/blog/first', { method: 'POST' }))[1], 'posted');
    },
  ));

test('a function of hosts is asked once a request, and only where the path is its own', async () => {
  let asked = 0;
  const hosts = (host: string) => {
    asked += 1;
    return host === 'go.example';
  };
  const routes = [named('slug', { http: 'GET /{slug}', hosts }), named('exact', { http: 'GET /exact', hosts })];
  await withRoutes([pluginOf('links', ...routes)], async (ask) => {
    await ask('/exact', { host: 'go.example' });
    assert.is(asked, 1);
    await ask('/v1/workspace', { host: 'go.example' });
    assert.is(asked, 1);
  });
});

test('a path that was found before leads each host to its own route, with parameters that no handler can change', () => {
  const handler: PublicRoute['handler'] = async (_context, { params }) => {
    assert.throws(() => Object.assign(params, { slug: 'changed' }), TypeError);
    return { status: 200, headers: {}, body: `every ${params['slug']}` };
  };
  return withRoutes(
    [
      pluginOf(
        'links',
        named('own', { http: 'GET /l/{slug}', hosts: ['go.example'] }),
        named('every', { http: 'GET /l/{slug}', handler }),
      ),
    ],
    async (ask) => {
      for (const host of ['go.example', 'api.example', 'go.example', 'api.example'])
        assert.is((await ask('/l/one', { host }))[1], host === 'go.example' ? 'own' : 'every one', host);
      assert.is((await ask('/l/two', { host: 'api.example' }))[1], 'every two');
    },
  );
});

test('routes that cannot stand beside each other are named when they are composed', () => {
  const faultsOf = (...plugins: ReturnType<typeof pluginOf>[]): readonly string[] => {
    try {
      createService({ plugins, storage: sqliteStorage({ filename: ':memory:' }) });
      return [];
    } catch (error) {
      assert.ok(error instanceof CompositionError);
      return error.faults;
    }
  };
  const at = (hosts: PublicRoute['hosts']) => named('slug', { http: 'GET /{slug}', hosts });
  assert.equal(
    faultsOf(
      pluginOf('a', at(['a.example'])),
      pluginOf(
        'b',
        at(['b.example']),
        at(() => true),
      ),
    ),
    [],
  );
  assert.equal(faultsOf(pluginOf('a', at(['a.example'])), pluginOf('b', at(['A.Example']))), [
    'The route GET /{} on a.example is declared by a and by b.',
  ]);
  assert.match(
    faultsOf(pluginOf('a', at(['https://a.example'])))[0] ?? '',
    /"https:\/\/a\.example", which is not a valid host name/,
  );
  assert.match(faultsOf(pluginOf('a', at([])))[0] ?? '', /serves no host/);
  const limited = (perMinute: number, burst: number) =>
    faultsOf(pluginOf('a', named('x', { http: 'GET /x', limit: { perMinute, burst } })));
  assert.equal(limited(1, 1), []);
  for (const fault of [limited(0, 1), limited(Number.NaN, 1), limited(60, 0), limited(60, 1.5)])
    assert.is(fault.length, 1);
});

const limit = { perMinute: 60, burst: 2 };
const limited = () => [
  named('first', { http: 'GET /first', limit: { ...limit, name: 'shared' } }),
  named('second', { http: 'GET /second', limit: { ...limit, name: 'shared' } }),
  named('own', { http: 'GET /own', limit }),
];

test('routes of one name share the counters of an address, and tokens come back', () =>
  withRoutes([pluginOf('doors', ...limited())], async (ask, { advanceClock }) => {
    const statuses = async (...urls: string[]) => {
      const found: number[] = [];
      for (const url of urls) found.push((await ask(url))[0]);
      return found;
    };
    assert.equal(await statuses('/first', '/second', '/first', '/second'), [200, 200, 429, 429]);
    assert.equal(await statuses('/own', '/own', '/own'), [200, 200, 429]);
    assert.is((await ask('/first', { address: '192.0.2.2' }))[0], 200);
    advanceClock(1_000);
    assert.equal(await statuses('/first', '/first'), [200, 429]);
  }));

test('addresses of IPv6 count by their /64, and those of IPv4 one by one however they are written', () =>
  withRoutes([pluginOf('doors', ...limited())], async (ask) => {
    const from = async (...addresses: string[]) => {
      const found: number[] = [];
      for (const address of addresses) found.push((await ask('/own', { address }))[0]);
      return found;
    };
    assert.equal(await from('2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:DB8:1:2:0:0:0:1'), [200, 200, 429]);
    assert.equal(await from('2001:db8:1:3::1'), [200]);
    assert.equal(await from('198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407'), [200, 200, 429]);
    assert.equal(await from('::ffff:198.51.100.8'), [200]);
  }));

test('clients without an address count together, and the log says so once', async () => {
  const lines: string[] = [];
  const log = (_fields: object, message: string) => void lines.push(message);
  const logger = { debug: log, info: log, warn: log, error: log };
  await withRoutes(
    [pluginOf('doors', ...limited())],
    async (ask) => {
      const found = [
        await ask('/own', { address: 'no address' }),
        await ask('/own', { address: '' }),
        await ask('/own', { address: 'x' }),
      ];
      assert.equal(
        found.map(([status]) => status),
        [200, 200, 429],
      );
    },
    { logger },
  );
  assert.is(lines.filter((line) => line.includes('no address of its clients')).length, 1);
});

test('the store of the limits sees no address', async () => {
  const seen: string[] = [];
  const store = memoryLimits();
  const limits: LimitStore = {
    ...store,
    take: (keyId, workspaceId, figures, now) => {
      seen.push(keyId, workspaceId);
      return store.take(keyId, workspaceId, figures, now);
    },
  };
  await withRoutes([pluginOf('doors', ...limited())], async (ask) => void (await ask('/own')), { limits });
  assert.equal(seen.length, 2);
  assert.match(seen[0] ?? '', /^adr_[\w-]{32}$/);
  assert.is(seen[1], 'public');
});

test('the database of the service counts them, too', () =>
  withRoutes(
    [pluginOf('doors', ...limited())],
    async (ask) => {
      assert.equal(
        [await ask('/own'), await ask('/own'), await ask('/own')].map(([status]) => status),
        [200, 200, 429],
      );
    },
    { limits: sqlLimits() },
  ));

for (const [onStoreFailure, statuses] of [
  ['allow', [200, 200, 200]],
  ['deny', [503, 503, 503]],
] as const) {
  test(`a store that is down lets calls ${onStoreFailure === 'allow' ? 'pass' : 'wait'} where the setting says ${onStoreFailure}`, () => {
    const take = () => Promise.reject(new Error('the store is down'));
    return withRoutes(
      [pluginOf('doors', ...limited())],
      async (ask) => {
        const found = [await ask('/own'), await ask('/own'), await ask('/own')];
        assert.equal(
          found.map(([status]) => status),
          statuses,
        );
      },
      {
        limits: { id: 'down', take, close: async () => undefined },
        settings: { onStoreFailure },
        logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      },
    );
  });
}

test('a handler counts what the route cannot tell apart', () =>
  withRoutes(
    [
      pluginOf(
        'doors',
        named('try', {
          http: 'GET /try/{form}',
          async handler(context, { params }) {
            await context.limitAddress({ name: `doors.try.${params['form']}`, perMinute: 60, burst: 1 });
            return { status: 204, headers: {}, body: '' };
          },
        }),
      ),
    ],
    async (ask) => {
      assert.is((await ask('/try/a'))[0], 204);
      assert.equal(codeOf(await ask('/try/a')), [429, 'address_rate_limit']);
      assert.is((await ask('/try/b'))[0], 204);
      const page = await ask('/try/a', { headers: { accept: 'text/html' } });
      assert.match(page[1], /<h1>Too many requests<\/h1>/);
      const json = await ask('/try/a', { headers: { accept: 'application/json, text/html' } });
      assert.is(codeOf(json)[1], 'address_rate_limit');
    },
  ));

test('a route reads the live side, and both where it says so', async () => {
  const rows = tenantRows(crates);
  const read: PublicRoute['handler'] = async (context, { params, query }) => {
    const found = await context.read(params['workspace'] ?? '', (live) => {
      const handle = query.has('both') ? live.bothSides('the test asks for both') : live;
      return rows.find(query.has('sandbox') ? live.onSide(true) : handle, params['id'] ?? '');
    });
    return { status: 200, headers: {}, body: found?.topic ?? 'none' };
  };
  const doors = pluginOf('doors', named('crate', { http: 'GET /crates/{workspace}/{id}', handler: read }));
  await withRoutes([isolationPlugin() as never, doors], async (ask, { service, workspaceId }) => {
    const database = await service.core.database();
    for (const sandbox of [false, true])
      await database.transact(async (scope) => {
        const topic = sandbox ? 'tried' : 'meant';
        const one = { id: `ltr_${topic}`, topic, pages: 1, created_at: 1, updated_at: 1 };
        await rows.insert(scope.handle({ workspaceId, sandbox }), one);
      });
    const shown = async (id: string) => (await ask(`/crates/${workspaceId}/${id}`))[1];
    assert.is(await shown('ltr_meant'), 'meant');
    assert.is(await shown('ltr_tried'), 'none');
    assert.is(await shown('ltr_tried?sandbox'), 'tried');
    assert.is(await shown('ltr_tried?both'), 'tried');
  });
});

test('bytes are checked, then read as JSON; text that is no UTF-8 is refused', () =>
  withRoutes(
    [
      pluginOf(
        'doors',
        named('signed', {
          http: 'POST /signed',
          async handler(_context, request) {
            const { length } = await request.bytes();
            return { status: 200, headers: {}, body: `${length} ${JSON.stringify(await request.json())}` };
          },
        }),
        named('text', {
          http: 'POST /text',
          handler: async (_context, request) => ({ status: 200, headers: {}, body: await request.text() }),
        }),
      ),
    ],
    async (ask) => {
      const headers = { 'content-type': 'application/json' };
      async function* streamed() {
        yield Buffer.from('{ "a"');
        yield Buffer.from(': 1 }');
      }
      assert.equal(await ask('/signed', { method: 'POST', headers, body: streamed() }), [200, '10 {"a":1}']);
      const bad = await ask('/text', { method: 'POST', body: Buffer.from([0xff, 0xfe, 0xfd]) });
      assert.equal(codeOf(bad), [400, 'body_invalid']);
    },
  ));

test.run();
