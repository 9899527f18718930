// The reference page over the service: access, HTTP behaviour, content.
// full-run: slow
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService, defineOperation, definePlugin, type HttpResponse, z } from '../../core/index.ts';
import { type AnyTestService, createTestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { type ReferenceOptions, referencePlugin } from '../../plugins/reference/index.ts';
import { attributeOf, findAll, parsePage, readExamples, textOf } from '../support/reference-page.ts';

const test = suite('reference');

const otherPlugins = standardPlugins.filter(({ id }) => id !== 'reference');

async function withReference(
  options: ReferenceOptions,
  environment: 'development' | 'production',
  work: (
    get: (path: string, headers?: Record<string, string>) => ReturnType<AnyTestService['service']['dispatch']>,
  ) => Promise<void>,
  more: {
    readonly plugins?: readonly ReturnType<typeof ownPlugin>[];
    readonly publicUrl?: string;
    readonly name?: string;
  } = {},
): Promise<void> {
  const { plugins = [], ...rest } = more;
  const service = createService({
    storage: sqliteStorage({ filename: ':memory:' }),
    keyring: localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] }),
    plugins: [...otherPlugins, ...plugins, referencePlugin(options)],
    environment,
    ...rest,
  });
  try {
    await work((url, headers = {}) => service.dispatch({ method: 'GET', url, headers, body: undefined }));
  } finally {
    await service.stop();
  }
}

/** A plugin of the program whose texts would break a page without escaping */
const ownPlugin = () =>
  definePlugin({
    id: 'parcels',
    scopes: [{ scope: 'parcels:read', description: 'See <b>parcels</b> & more.' }],
    errors: [{ code: 'parcel_lost', status: 404, type: 'not_found_error', description: 'It is lost. Ask "them".' }],
    operations: [
      defineOperation({
        id: 'parcels.read',
        summary: 'Read a parcel <script>alert(1)</script>',
        description: 'Its `weight` & https://example.com/parcels"onclick=x.',
        http: 'GET /v1/parcels/{code}',
        tool: 'read_parcel',
        scopes: ['parcels:read'],
        idempotency: 'read',
        input: {
          params: z.object({ code: z.string().max(20).describe('</pre><img src=x>') }),
          query: z.object({ at: z.iso.datetime().optional() }),
        },
        output: z
          .object({ code: z.string(), weight: z.number().min(0), sizes: z.array(z.enum(['s', 'l'])) })
          .meta({ id: 'Parcel' }),
        errors: ['parcel_lost'],
        fixture: async () => ({ params: { code: 'A' } }),
        handler: async () => ({ code: 'A', weight: 1, sizes: [] }),
      }),
    ],
  });

test('in development everybody can read the page, with and without a trailing slash', () =>
  withReference({}, 'development', async (get) => {
    const [withoutSlash, withSlash] = [await get('/docs'), await get('/docs/')];
    for (const { status, headers } of [withoutSlash, withSlash]) {
      assert.is(status, 200);
      assert.is(headers['Content-Type'], 'text/html; charset=utf-8');
      assert.is(headers['Cache-Control'], 'private, no-cache');
      assert.is(headers['X-Content-Type-Options'], 'nosniff');
      assert.match(headers['Content-Security-Policy'] ?? '', /default-src 'none'; script-src 'self'; style-src 'self'/);
      assert.not.match(headers['Content-Security-Policy'] ?? '', /unsafe|https?:|\*/);
    }
    assert.match(String(withoutSlash.body), /href="docs\/reference\.css\?v=/);
    assert.match(String(withSlash.body), /href="reference\.css\?v=/);
  }));

test('in production there is no page unless the program enables it', async () => {
  const statuses = async (options: ReferenceOptions, environment: 'development' | 'production') => {
    const results: number[] = [];
    await withReference(options, environment, async (get) => {
      for (const path of ['/docs', '/docs/', '/docs/reference.css', '/docs/reference.js'])
        results.push((await get(path)).status);
    });
    return [...new Set(results)];
  };
  assert.equal(await statuses({}, 'production'), [404]);
  assert.equal(await statuses({ public: false }, 'development'), [404]);
  assert.equal(await statuses({ public: true }, 'production'), [200]);
  assert.equal(await statuses({ authorize: () => true }, 'production'), [200]);
  assert.equal(await statuses({ authorize: async () => false, public: true }, 'development'), [404]);
});

test('a refused request gets the same answer as a missing page', () =>
  withReference({}, 'production', async (get) => {
    const [refused, missing] = [await get('/docs'), await get('/dogs')];
    const blank = ({ body }: Pick<HttpResponse, 'body'>) =>
      String(body)
        .replace(/req_\w{26}/, 'req')
        .replace('/dogs', '/docs');
    assert.is(blank(refused), blank(missing));
    assert.is(refused.headers['Content-Security-Policy'], undefined);
  }));

test('authorize gets the request', () =>
  withReference({ authorize: ({ headers }) => headers.cookie === 'session=good' }, 'production', async (get) => {
    assert.is((await get('/docs')).status, 404);
    assert.is((await get('/docs', { cookie: 'session=good' })).status, 200);
  }));

test('if authorize throws an error, the answer is an error instead of the page', () =>
  withReference(
    {
      authorize: () => {
        throw new Error('the session store is down');
      },
    },
    'development',
    async (get) => {
      const { status, body } = await get('/docs');
      assert.is(status, 500);
      assert.not.match(String(body), /session store|<html/);
    },
  ));

test('an unchanged page gets 304, and versioned files are cached as immutable', () =>
  withReference({}, 'development', async (get) => {
    const page = await get('/docs/');
    const unchanged = await get('/docs/', { 'if-none-match': page.headers.ETag ?? '' });
    assert.equal([unchanged.status, unchanged.body], [304, '']);
    assert.is(
      (await get('/docs', { 'if-none-match': page.headers.ETag ?? '' })).status,
      200,
      'the page without a slash has other bytes, so another ETag',
    );
    const style = /href="(reference\.css\?v=[\w-]+)"/.exec(String(page.body))?.[1] ?? '';
    const file = await get(`/docs/${style}`);
    assert.is(file.headers['Content-Type'], 'text/css; charset=utf-8');
    assert.match(file.headers['Cache-Control'] ?? '', /immutable/);
    assert.not.match((await get('/docs/reference.css')).headers['Cache-Control'] ?? '', /immutable/);
  }));

const codings: Readonly<Record<string, string | undefined>> = {
  'gzip, deflate, br, zstd': 'br',
  'gzip, deflate': 'gzip',
  'br;q=0.5, gzip;q=0.8': 'gzip',
  'GZIP;Q=0.1': 'gzip',
  'identity;q=1, br;q=0.5': undefined,
  'br;q=0, gzip;q=0': undefined,
  '*': 'br',
  '*, br;q=0': 'gzip',
  'br;q=2': undefined,
  '': undefined,
};

test('the page is compressed with the preferred encoding of the client, and has one ETag for all encodings', () =>
  withReference({}, 'development', async (get) => {
    const plain = await get('/docs');
    const uncompressed = Buffer.from(String(plain.body));
    for (const [accepted, coding] of Object.entries(codings)) {
      const { headers, body } = await get('/docs', { 'accept-encoding': accepted });
      assert.is(headers['Content-Encoding'], coding, accepted);
      assert.equal([headers.ETag, headers.Vary], [plain.headers.ETag, 'Accept-Encoding'], accepted);
      const bytes = Buffer.from(body as Uint8Array | string);
      const decompressed =
        coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
      assert.ok(decompressed.equals(uncompressed), accepted);
      if (coding !== undefined) assert.ok(bytes.length < uncompressed.length / 6, `${accepted}: ${bytes.length} bytes`);
    }
    const unchanged = await get('/docs', { 'accept-encoding': 'br', 'if-none-match': plain.headers.ETag ?? '' });
    assert.equal([unchanged.status, unchanged.headers['Content-Encoding']], [304, undefined]);
  }));

test('another path changes the addresses of the page and its files', () =>
  withReference({ path: '/help/api' }, 'development', async (get) => {
    assert.is((await get('/docs')).status, 404);
    const { body } = await get('/help/api');
    assert.match(String(body), /href="api\/reference\.css/);
    assert.match(String(body), /data-service="\.\.\/\.\.\/"/);
    assert.is((await get('/help/api/reference.js')).status, 200);
  }));

test('an invalid path is refused at once', () => {
  for (const path of ['docs', '/docs/', '/', '', '/v1', '/v1/docs', '/a b', '/{x}', '//x'])
    assert.throws(() => referencePlugin({ path }), /path is .*Write it like \/docs/, path);
});

test('two services with the same plugin object each have their own page', async () => {
  const plugin = referencePlugin();
  const titles: string[] = [];
  for (const name of ['Acme', 'Umbrella']) {
    const bench = await createTestService({ plugins: [...otherPlugins, plugin], name });
    const { body } = await bench.service.dispatch({ method: 'GET', url: '/docs', headers: {}, body: undefined });
    titles.push(/<title>(.*?)<\/title>/.exec(String(body))?.[1] ?? '');
    await bench.close();
  }
  assert.equal(titles, ['Acme API reference', 'Umbrella API reference']);
});

test('an operation of the program is documented, and its texts stay text', () =>
  withReference(
    {},
    'development',
    async (get) => {
      const body = String((await get('/docs')).body);
      const example = readExamples(body).get('parcels.read');
      assert.equal(Object.keys(example?.forms ?? {}), ['curl', 'fetch', 'typed', 'tool']);
      assert.match(example?.forms.curl ?? '', /\/v1\/parcels\/code/);
      assert.equal(JSON.parse(example?.answer ?? ''), { code: 'code', weight: 0, sizes: ['s'] });
      for (const id of ['area.parcels', 'parcels.read', 'object.Parcel', 'scope.parcels:read', 'error.parcel_lost'])
        assert.ok(body.includes(`id="${id}"`), id);
      assert.ok(body.includes('See &lt;b&gt;parcels&lt;/b&gt; &amp; more.'));
      const tree = parsePage(body);
      assert.is(findAll(tree, ({ tagName }) => tagName === 'img').length, 0);
      assert.is(findAll(tree, ({ tagName }) => tagName === 'script').length, 1);
      assert.not.ok(findAll(tree, (element) => attributeOf(element, 'onclick') !== undefined).length);
    },
    { plugins: [ownPlugin()] },
  ));

test('the page has no inline script or style, and every link has a target', () =>
  withReference({}, 'development', async (get) => {
    const tree = parsePage(String((await get('/docs')).body));
    const all = findAll(tree, () => true);
    for (const element of all) {
      assert.is(attributeOf(element, 'style'), undefined);
      assert.not.ok(element.attrs.some(({ name }) => name.startsWith('on')));
      if (element.tagName === 'script') assert.is(textOf(element), '');
    }
    assert.not.ok(all.some(({ tagName }) => tagName === 'style'));
    const ids = all.flatMap((element) => attributeOf(element, 'id') ?? []);
    assert.is(new Set(ids).size, ids.length, 'an id is used twice');
    for (const link of all.filter(({ tagName }) => tagName === 'a')) {
      const target = attributeOf(link, 'href') ?? '';
      if (target.startsWith('#')) assert.ok(ids.includes(target.slice(1)), target);
      else assert.match(target, /^https:\/\//);
    }
    const levels = all.filter(({ tagName }) => /^h[1-6]$/.test(tagName)).map(({ tagName }) => Number(tagName[1]));
    assert.is(levels.filter((level) => level === 1).length, 1);
    for (const [index, level] of levels.entries())
      assert.ok(level <= (levels[index - 1] ?? 0) + 1, 'a heading level is skipped');
  }));

test('the page shows everything in the OpenAPI document: scopes, presets, errors, events, tools with their hints', () =>
  withReference({}, 'development', async (get) => {
    const body = String((await get('/docs')).body);
    const text = textOf(parsePage(body));
    for (const word of ['suppressions:bypass', 'key_rate_limit', 'send.bounced', 'send_transactional', 'author'])
      assert.ok(text.includes(word), word);
    assert.match(text, /send_transactional changes something, reaches people outside/);
    assert.match(text, /delete_suppression changes something, can overwrite or remove, safe to repeat/);
    assert.match(text, /list_sends reads only/);
    assert.match(text, /Idempotency-Key/);
  }));

test('examples use the public URL, and without one the page fills in its own address', async () => {
  await withReference(
    {},
    'development',
    async (get) => {
      const body = String((await get('/docs')).body);
      assert.match(body, /curl https:\/\/app\.acme\.test\/mail\/v1\/workspace/);
      assert.match(body, /\$ACMEMAIL_API_KEY/);
      assert.not.match(body, /data-base|localhost:3000/);
    },
    { publicUrl: 'https://app.acme.test/mail/', name: 'Acme Mail' },
  );
  await withReference({}, 'development', async (get) => {
    assert.match(String((await get('/docs')).body), /data-base="http:\/\/localhost:3000"/);
  });
});

test('the page contains no workspace data and no API key', async () => {
  const bench = await createTestService({ plugins: standardPlugins });
  try {
    await bench.service.workspaces.update(bench.workspaceId, { name: 'Very Private Ltd' });
    const { suppressions } = bench.service.as(bench.workspaceId);
    await suppressions.create({ email: 'private@example.org' });
    const { body } = await bench.service.dispatch({ method: 'GET', url: '/docs', headers: {}, body: undefined });
    const page = String(body);
    const plantedTexts = [
      bench.liveKey,
      bench.testKey,
      bench.workspaceId,
      'Very Private',
      'private@example.org',
      'secret for tests',
    ];
    for (const text of plantedTexts) assert.not.ok(page.includes(text), text);
    assert.not.match(page, /_(live|test|mcp)_\w{40}/);
  } finally {
    await bench.close();
  }
});

test.run();
