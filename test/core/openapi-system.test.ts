// The routes that are not operations of a plugin: the document describes them, and they behave as it says.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRegistry } from '../../core/kernel/registry.ts';
import { openapiDocument } from '../../core/projections/openapi.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { notesPlugin } from './notes-plugin.ts';

const test = suite('openapi: system routes');

type Described = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
};
const info = { name: 'Acme Mail', publicUrl: 'https://app.acme.test/messaging' };
const describe = (more: object = {}) =>
  openapiDocument(createRegistry([notesPlugin()], []), { ...info, ...more }) as Described;

test('the document describes its own route like an operation', () => {
  const route = describe().paths['/v1/openapi.json']?.get;
  assert.is(route?.operationId, 'openapi.read');
  assert.equal(route?.['x-scopes'], []);
  assert.is(route?.['x-idempotency'], 'read');
  assert.is(route?.['x-tool'], undefined);
  const responses = route?.responses as Record<string, { content?: Record<string, { schema: object }> }>;
  assert.equal(Object.keys(responses), ['200', '304', '401', '429', '500', '503']);
  assert.ok(responses['200']?.content?.['application/json']?.schema);
});

test('the route of the AsyncAPI document is described like the OpenAPI route', () => {
  const route = describe().paths['/v1/asyncapi.json']?.get;
  assert.equal([route?.operationId, route?.tags], ['asyncapi.read', ['asyncapi']]);
  const answers = ({ paths }: Described, path: string) => Object.keys(paths[path]?.get?.responses ?? {});
  for (const document of [describe(), describe({ publicOpenapi: true })])
    assert.equal(answers(document, '/v1/asyncapi.json'), answers(document, '/v1/openapi.json'));
});

test('the MCP endpoint is described as a path and not as a tool', () => {
  const message = describe().paths['/v1/mcp']?.post;
  assert.is(message?.operationId, 'mcp.message');
  assert.is(message?.['x-tool'], undefined);
});

test('a public document declares that it needs no key', () => {
  const route = describe({ publicOpenapi: true }).paths['/v1/openapi.json']?.get;
  assert.equal(route?.security, []);
  assert.equal(Object.keys(route?.responses ?? {}), ['200', '304', '500']);
  assert.is(describe().paths['/v1/openapi.json']?.get?.security, undefined);
});

test('the document is served in full, and a current ETag gets 304', async () => {
  const bench = await createTestService({ plugins: [notesPlugin()] });
  try {
    const full = await bench.request('/v1/openapi.json');
    assert.is(full.status, 200);
    assert.equal(full.body, JSON.parse(JSON.stringify(bench.service.openapi())));
    assert.is(full.headers['Cache-Control'], 'private, no-cache');
    const tag = full.headers.ETag ?? '';
    assert.match(tag, /^W\/"[\w-]{22}"$/);
    for (const header of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const unchanged = await bench.request('/v1/openapi.json', { headers: { 'if-none-match': header } });
      assert.equal([unchanged.status, unchanged.body, unchanged.headers.ETag], [304, undefined, tag], header);
      assert.ok(unchanged.headers['X-RateLimit-Remaining']);
    }
    for (const header of ['"other"', tag.slice(3, -1), '']) {
      const postAnswer = await bench.request('/v1/openapi.json', { headers: { 'if-none-match': header } });
      assert.is(postAnswer.status, 200, header);
    }
    const refusal = await bench.request('/v1/openapi.json', { key: '', headers: { 'if-none-match': tag } });
    assert.is(refusal.status, 401);
  } finally {
    await bench.close();
  }
});

test('fetch() also responds with 304', async () => {
  const bench = await createTestService({ plugins: [notesPlugin()], openapi: { public: true } });
  try {
    const full = await bench.service.fetch(new Request('http://localhost/v1/openapi.json'));
    assert.is(full.headers.get('cache-control'), 'no-cache');
    const headers = { 'If-None-Match': full.headers.get('etag') ?? '' };
    const unchanged = await bench.service.fetch(new Request('http://localhost/v1/openapi.json', { headers }));
    assert.equal([unchanged.status, await unchanged.text()], [304, '']);
  } finally {
    await bench.close();
  }
});

test.run();
