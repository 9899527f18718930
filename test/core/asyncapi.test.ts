// time-limit: 120
// The AsyncAPI document: its official parser accepts it, its examples match its schemas, and it is served like the
// OpenAPI document.
// full-run: slow
import { Parser } from '@asyncapi/parser';
import { Ajv } from 'ajv';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Plugin } from '../../core/contract/declaration/plugin.ts';
import { createRegistry } from '../../core/kernel/registry.ts';
import { asyncapiDocument } from '../../core/projections/asyncapi.ts';
import { openapiDocument } from '../../core/projections/openapi.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { notesPlugin } from './notes-plugin.ts';

const test = suite('asyncapi');
const info = { name: 'Acme Mail' };

/** The parts of a document that these tests read. */
interface Document {
  readonly channels: Record<string, { readonly messages: Record<string, { readonly $ref: string }> }>;
  readonly operations: Record<string, { readonly action: string; readonly messages: readonly { $ref: string }[] }>;
  readonly components: {
    readonly schemas: Record<string, unknown>;
    readonly messageTraits: { readonly delivery: { readonly headers: Record<string, unknown> } };
    readonly messages: Record<string, Message>;
  };
}
interface Message {
  readonly summary: string;
  readonly payload: Record<string, unknown>;
  readonly examples: readonly [
    { readonly headers: Record<string, string>; readonly payload: { readonly type: string } },
  ];
}

const documentOf = (plugins: readonly Plugin[]): Document =>
  asyncapiDocument(createRegistry(plugins, []), info) as unknown as Document;

/**
 * The parser's result: whether the document is valid, and all errors and warnings. Information messages are left out.
 */
async function parseDocument(
  document: unknown,
): Promise<{ readonly isValid: boolean; readonly faults: readonly string[] }> {
  const { document: parsed, diagnostics } = await new Parser().parse(JSON.stringify(document));
  // Severity 0 is an error, 1 a warning, 2 information, such as that version 3.1 exists or that the document has no servers.
  const faults = diagnostics
    .filter(({ severity }) => severity < 2)
    .map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`);
  return { isValid: parsed !== undefined, faults };
}

for (const [name, plugins] of [
  ['the standard plugins', standardPlugins],
  ['a plugin with one event', [notesPlugin()]],
] as const) {
  const document = documentOf(plugins);

  test(`the parser accepts the document of ${name} without a warning`, async () => {
    assert.equal(await parseDocument(document), { isValid: true, faults: [] });
  });

  test(`the document of ${name} lists every declared event once as channel message, operation and message`, () => {
    const eventNames = [...[...createRegistry(plugins, []).events.keys()].sort(), 'custom'];
    assert.equal(Object.keys(document.channels.subscription?.messages ?? {}), eventNames);
    assert.equal(Object.keys(document.operations), eventNames);
    assert.equal(Object.keys(document.components.messages), eventNames);
    for (const [type, { action, messages }] of Object.entries(document.operations))
      assert.equal([action, messages], ['send', [{ $ref: `#/channels/subscription/messages/${type}` }]]);
  });

  test(`each example in the document of ${name} matches its own schema only`, () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const { schemas, messages, messageTraits } = document.components;
    const compile = (schema: unknown) => ajv.compile({ ...(schema as object), components: { schemas } });
    const headersFit = compile(messageTraits.delivery.headers);
    for (const [type, { payload, examples }] of Object.entries(messages)) {
      const fits = compile(payload);
      const [example] = examples;
      assert.ok(fits(example.payload), `${type}: ${ajv.errorsText(fits.errors)}`);
      assert.ok(headersFit(example.headers), type);
      assert.is(example.headers['X-AcmeMail-Event'], example.payload.type);
      assert.not.ok(fits({ ...example.payload, data: undefined }), type);
      assert.not.ok(fits({ ...example.payload, source: 'somebody' }), type);
      if (type !== 'custom') assert.not.ok(fits({ ...example.payload, type: 'other' }), type);
    }
  });
}

test('the parser reports errors that were put into the document on purpose', async () => {
  const faultyDocument = structuredClone(documentOf([notesPlugin()])) as unknown as {
    operations: Record<string, { action: string }>;
    components: { messages: Record<string, { examples: { payload: { source: unknown } }[] }> };
  };
  (faultyDocument.operations['note.shared'] as { action: string }).action = 'shout';
  assert.is((await parseDocument(faultyDocument)).isValid, false);
});

test('payloads and headers are the same as in the OpenAPI document', () => {
  const registry = createRegistry(standardPlugins, []);
  const { webhooks, components } = openapiDocument(registry, { ...info, publicUrl: undefined }) as {
    webhooks: Record<
      string,
      {
        post: {
          requestBody: { content: Record<string, { schema: unknown; examples: { delivery: { value: unknown } } }> };
        };
      }
    >;
    components: { parameters: Record<string, { name: string; in: string }> };
  };
  const document = documentOf(standardPlugins);
  for (const [type, { payload, examples }] of Object.entries(document.components.messages)) {
    const media = webhooks[type]?.post.requestBody.content['application/json'];
    assert.equal(media?.schema, payload, type);
    assert.equal(media?.examples.delivery.value, examples[0].payload, type);
  }
  const headers = Object.values(components.parameters).filter(({ name }) => /^(X-AcmeMail|webhook)-/.test(name));
  assert.equal(
    headers.map(({ name }) => name),
    Object.keys((document.components.messageTraits.delivery.headers as { properties: object }).properties),
  );
});

test('the same plugins in any order give the same bytes', () => {
  const reversedPlugins = [...standardPlugins].reverse();
  assert.is(JSON.stringify(documentOf(reversedPlugins)), JSON.stringify(documentOf(standardPlugins)));
});

test('the document is served to every valid key, and a current ETag gets 304', async () => {
  const bench = await createTestService({ plugins: [notesPlugin()] });
  try {
    const key = await bench.keyWith(['notes:read']);
    const answer = await bench.request('/v1/asyncapi.json', { key });
    assert.is(answer.status, 200);
    assert.equal(answer.body, JSON.parse(JSON.stringify(bench.service.asyncapi())));
    assert.is(answer.headers['Cache-Control'], 'private, no-cache');
    assert.ok(answer.headers['X-RateLimit-Remaining']);
    const headers = { 'if-none-match': answer.headers.ETag ?? '' };
    const unchanged = await bench.request('/v1/asyncapi.json', { key, headers });
    assert.equal([unchanged.status, unchanged.body, unchanged.headers.ETag], [304, undefined, answer.headers.ETag]);
    assert.is((await bench.request('/v1/asyncapi.json', { key: '', headers })).status, 401);
    const postAnswer = await bench.request('/v1/asyncapi.json', { method: 'POST', body: {} });
    assert.equal([postAnswer.status, postAnswer.headers.Allow], [405, 'GET']);
  } finally {
    await bench.close();
  }
});

test('the document is public if the OpenAPI document is public', async () => {
  const bench = await createTestService({ plugins: [notesPlugin()], openapi: { public: true } });
  try {
    const { status, headers } = await bench.request('/v1/asyncapi.json', { key: '' });
    assert.equal([status, headers['Cache-Control']], [200, 'no-cache']);
  } finally {
    await bench.close();
  }
});

test.run();
