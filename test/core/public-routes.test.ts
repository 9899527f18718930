// Public routes that plugins declare: which route serves which host, refused compositions, and the forms of a body. Tested through
// dispatch, because the host adapters have their own tests.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import {
  CompositionError,
  createService,
  definePublicRoute,
  type HttpRequest,
  hostName,
  type PublicRoute,
  tenantRows,
} from '../../core/index.ts';
import { crates, isolationPlugin } from './isolation-plugin.ts';
import { notesPlugin } from './notes-plugin.ts';
import { codeOf, pluginOf, routeNamed, withRoutes } from './routed-service.ts';

const test = suite('public routes');

test('a host name has one normal form', () => {
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
  for (const [input, form] of Object.entries(forms)) assert.is(hostName(input), form, input);
  for (const none of [undefined, '', 'a b', 'a/b', 'a@b', 'a?b', '%61.example', 'a.example, b.example', 'a:b', '[::1'])
    assert.is(hostName(none), undefined, none);
});

test('for an unknown page, people get a 404 page with a link back to the start of its pages', () =>
  withRoutes(
    [
      pluginOf(
        'pages',
        definePublicRoute({
          http: 'GET /shelf',
          description: 'For tests.',
          handler: async () => ({ status: 200, headers: {}, body: 'x' }),
        }),
      ),
    ],
    async (_ask, bench) => {
      const pageAt = async (path: string): Promise<string> => {
        const answer = await bench.request(path, { headers: { accept: 'text/html' } });
        assert.is(answer.status, 404);
        return answer.bytes.toString('utf8');
      };
      const text = '<p>There is no page at this address. It may have moved, or the address may contain a mistake.</p>';
      for (const [path, back] of [
        ['/shelf/lost', '../shelf'],
        ['/shelf/lost/deep', '../../shelf'],
      ] as const) {
        const page = await pageAt(`${path}?workspace=x`);
        assert.ok(page.includes(`${text}\n<p><a href="${back}">Back to the start</a></p>`), page);
        assert.not.match(page, /GET|openapi/);
      }
      const unknownPage = await pageAt('/shelves/%3Clost');
      assert.ok(unknownPage.includes(text), unknownPage);
      assert.not.match(unknownPage, /<a /);
    },
  ));

test('if a route fails, people get a page in their language with the id of the request, and programs the envelope', () =>
  withRoutes(
    [
      pluginOf(
        'pages',
        definePublicRoute({
          http: 'GET /broken',
          description: 'For tests.',
          handler: async () => {
            throw new Error('The secret cause.');
          },
        }),
      ),
    ],
    async (ask, bench) => {
      const headers = { accept: 'text/html', 'accept-language': 'de' };
      const page = await bench.request('/broken', { headers });
      const text = page.bytes.toString('utf8');
      assert.equal([page.status, page.headers['Content-Type']], [500, 'text/html; charset=utf-8']);
      assert.match(text, '<html lang="de" dir="ltr">');
      assert.match(text, '<h1>Etwas ist schiefgegangen</h1>');
      assert.ok(text.includes(`Referenz: <bdi>${page.headers['X-Request-Id']}</bdi>`), text);
      assert.not.match(text, 'secret cause');
      assert.equal(codeOf(await ask('/broken')), [500, 'internal_error']);
      assert.equal(codeOf(await ask('/v1/nothing', { headers })), [404, 'route_not_found'], 'the API has no pages');
    },
  ));

test('HTML runs no scripts unless its route allows them, and content types are not guessed', () =>
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
      const ownHeaders = await headersOf('/own');
      assert.is(ownHeaders['content-security-policy'], "script-src 'self'");
      assert.not('Content-Security-Policy' in ownHeaders);
      assert.is((await headersOf('/table'))['X-Content-Type-Options'], 'nosniff');
      assert.not('Content-Security-Policy' in (await headersOf('/table')));
      assert.not('X-Content-Type-Options' in (await headersOf('/bare')));
    },
  ));

test('on a host, an exact path has priority, and among equal routes the first composed plugin has priority', () =>
  withRoutes(
    [
      pluginOf('links', routeNamed('links', { http: 'GET /{slug}', hosts: (host) => host !== 'api.example' })),
      pluginOf(
        'pages',
        routeNamed('pages', { http: 'GET /{page}', hosts: () => true }),
        routeNamed('robots', { http: 'GET /robots.txt', hosts: ['go.example'] }),
        routeNamed('every', { http: 'GET /{anything}' }),
      ),
    ],
    async (ask) => {
      const askOn = async (host: string, url: string) => (await ask(url, { host }))[1];
      assert.is(await askOn('go.example', '/robots.txt'), 'robots');
      assert.is(await askOn('other.example', '/robots.txt'), 'links');
      assert.is(await askOn('go.example', '/abc'), 'links');
      assert.is(await askOn('api.example', '/abc'), 'pages');
      assert.is((await ask('/abc', { headers: { host: 'go.example:80' } }))[1], 'links');
      assert.is((await ask('/abc'))[1], 'every', 'a request without a host');
    },
  ));

test('paths under /v1/ are the API on every host, even if a route of that host would match', () =>
  withRoutes(
    [
      pluginOf(
        'pages',
        routeNamed('two', { http: 'GET /{a}/{b}', hosts: () => true }),
        routeNamed('posted', { http: 'POST /{a}/{b}', hosts: ['go.example'] }),
      ),
      notesPlugin(),
    ],
    async (ask) => {
      const askOn = (url: string, more: Partial<HttpRequest> = {}) => ask(url, { host: 'go.example', ...more });
      assert.equal(codeOf(await askOn('/v1/notes')), [401, 'invalid_api_key']);
      assert.equal(codeOf(await askOn('/v1/nothing')), [404, 'route_not_found']);
      assert.is((await askOn('/v1/mcp', { method: 'POST' }))[0], 401);
      assert.is((await askOn('/v2/workspace'))[1], 'two');
      assert.is((await askOn('/blog/first', { method: 'POST' }))[1], 'posted');
    },
  ));

test('a hosts function is called once for each request, and only for its own path', async () => {
  let lookups = 0;
  const hosts = (host: string) => {
    lookups += 1;
    return host === 'go.example';
  };
  const routes = [
    routeNamed('slug', { http: 'GET /{slug}', hosts }),
    routeNamed('exact', { http: 'GET /exact', hosts }),
  ];
  await withRoutes([pluginOf('links', ...routes)], async (ask) => {
    await ask('/exact', { host: 'go.example' });
    assert.is(lookups, 1);
    await ask('/v1/workspace', { host: 'go.example' });
    assert.is(lookups, 1);
  });
});

test('a path that was found earlier still leads each host to its own route, with read-only parameters', () => {
  const handler: PublicRoute['handler'] = async (_context, { params }) => {
    assert.throws(() => Object.assign(params, { slug: 'changed' }), TypeError);
    return { status: 200, headers: {}, body: `every ${params['slug']}` };
  };
  return withRoutes(
    [
      pluginOf(
        'links',
        routeNamed('own', { http: 'GET /l/{slug}', hosts: ['go.example'] }),
        routeNamed('every', { http: 'GET /l/{slug}', handler }),
      ),
    ],
    async (ask) => {
      for (const host of ['go.example', 'api.example', 'go.example', 'api.example'])
        assert.is((await ask('/l/one', { host }))[1], host === 'go.example' ? 'own' : 'every one', host);
      assert.is((await ask('/l/two', { host: 'api.example' }))[1], 'every two');
    },
  );
});

test('conflicting routes are reported when the service is composed', () => {
  const faultsOf = (...plugins: ReturnType<typeof pluginOf>[]): readonly string[] => {
    try {
      createService({ plugins, storage: sqliteStorage({ filename: ':memory:' }) });
      return [];
    } catch (error) {
      assert.ok(error instanceof CompositionError);
      return error.faults;
    }
  };
  const routeOn = (hosts: PublicRoute['hosts']) => routeNamed('slug', { http: 'GET /{slug}', hosts });
  assert.equal(
    faultsOf(
      pluginOf('a', routeOn(['a.example'])),
      pluginOf(
        'b',
        routeOn(['b.example']),
        routeOn(() => true),
      ),
    ),
    [],
  );
  assert.equal(faultsOf(pluginOf('a', routeOn(['a.example'])), pluginOf('b', routeOn(['A.Example']))), [
    'The route GET /{} on a.example is declared by a and by b.',
  ]);
  assert.match(
    faultsOf(pluginOf('a', routeOn(['https://a.example'])))[0] ?? '',
    /"https:\/\/a\.example", which is not a valid host name/,
  );
  assert.match(faultsOf(pluginOf('a', routeOn([])))[0] ?? '', /serves no host/);
  const faultsOfLimit = (perMinute: number, burst: number) =>
    faultsOf(pluginOf('a', routeNamed('x', { http: 'GET /x', limit: { perMinute, burst } })));
  assert.equal(faultsOfLimit(1, 1), []);
  for (const fault of [faultsOfLimit(0, 1), faultsOfLimit(Number.NaN, 1), faultsOfLimit(60, 0), faultsOfLimit(60, 1.5)])
    assert.is(fault.length, 1);
});

test('a route reads the live side, or both sides if it asks for both', async () => {
  const rows = tenantRows(crates);
  const readIds: PublicRoute['handler'] = async (context, { params, query }) => {
    const ids = await context.read(params['workspace'] ?? '', ({ trx }) => {
      const handle = query.has('both') ? trx.bothSides('the test asks for both') : trx;
      return rows.find(query.has('sandbox') ? trx.onSide(true) : handle, params['id'] ?? '');
    });
    return { status: 200, headers: {}, body: ids?.topic ?? 'none' };
  };
  const cratesPlugin = pluginOf(
    'doors',
    routeNamed('crate', { http: 'GET /crates/{workspace}/{id}', handler: readIds }),
  );
  await withRoutes([isolationPlugin() as never, cratesPlugin], async (ask, { service, workspaceId }) => {
    const database = await service.core.database();
    for (const sandbox of [false, true])
      await database.transact(async (scope) => {
        const topic = sandbox ? 'tried' : 'meant';
        const one = { id: `ltr_${topic}`, topic, pages: 1, created_at: 1, updated_at: 1 };
        await rows.insert(scope.handle({ workspaceId, sandbox }), one);
      });
    const responseOf = async (id: string) => (await ask(`/crates/${workspaceId}/${id}`))[1];
    assert.is(await responseOf('ltr_meant'), 'meant');
    assert.is(await responseOf('ltr_tried'), 'none');
    assert.is(await responseOf('ltr_tried?sandbox'), 'tried');
    assert.is(await responseOf('ltr_tried?both'), 'tried');
  });
});

test('bytes are checked and then parsed as JSON, and text that is not UTF-8 is refused', () =>
  withRoutes(
    [
      pluginOf(
        'doors',
        routeNamed('signed', {
          http: 'POST /signed',
          async handler(_context, request) {
            const { length } = await request.bytes();
            return { status: 200, headers: {}, body: `${length} ${JSON.stringify(await request.json())}` };
          },
        }),
        routeNamed('text', {
          http: 'POST /text',
          handler: async (_context, request) => ({ status: 200, headers: {}, body: await request.text() }),
        }),
      ),
    ],
    async (ask) => {
      const headers = { 'content-type': 'application/json' };
      async function* chunks() {
        yield Buffer.from('{ "a"');
        yield Buffer.from(': 1 }');
      }
      assert.equal(await ask('/signed', { method: 'POST', headers, body: chunks() }), [200, '10 {"a":1}']);
      const bad = await ask('/text', { method: 'POST', body: Buffer.from([0xff, 0xfe, 0xfd]) });
      assert.equal(codeOf(bad), [400, 'body_invalid']);
    },
  ));

test.run();
