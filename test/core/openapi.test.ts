// time-limit: 300
// full-run: slow
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin, type Plugin } from '../../core/contract/declaration/plugin.ts';
import { createRegistry } from '../../core/kernel/registry.ts';
import { openapiDocument } from '../../core/projections/openapi.ts';
import { release } from '../../core/projections/release.ts';
import type { JsonSchema } from '../../core/projections/schema-parts.ts';
import { noteShared, notesPlugin } from './notes-plugin.ts';
import { openWorkbench } from './openapi/linters.ts';

const test = suite('openapi');
const root = join(import.meta.dirname, '../..');
const info = { name: 'Acme Mail', publicUrl: 'https://app.acme.test/messaging' };

/** The parts of a document that these tests read. */
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly webhooks: Record<string, { readonly post: Operation }>;
  readonly components: {
    readonly schemas: Record<string, JsonSchema>;
    readonly responses: Record<string, Response>;
    readonly parameters: Record<string, JsonSchema>;
  };
}
interface Operation extends JsonSchema {
  readonly parameters?: readonly JsonSchema[];
  readonly responses: Record<string, Response>;
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
}
interface Response {
  readonly $ref?: string;
  readonly headers?: JsonSchema;
  readonly content?: Content;
}
type Content = Record<'application/json', { readonly schema: JsonSchema; readonly examples?: JsonSchema }>;

const documentOf = (plugins: readonly Plugin[]): Document =>
  openapiDocument(createRegistry(plugins, []), info) as unknown as Document;
const notes = documentOf([notesPlugin()]);

const { parameters } = notes.components;
const prefix = '#/components/parameters/';

const workbench = openWorkbench();
test.after(() => workbench.remove());

/** The document with one operation changed so that each linter must report a fault. */
function withFaults(): unknown {
  const copy = structuredClone(notes) as unknown as { paths: Record<string, Record<string, Record<string, unknown>>> };
  const readOperation = copy.paths['/v1/notes/{key}']?.get as Record<string, unknown>;
  readOperation.parameters = [];
  readOperation.responses = { '200': { content: {} } };
  return copy;
}

test('redocly reports no fault with its recommended rules', () => {
  const { code, output } = workbench.redocly(workbench.write('notes.json', notes));
  assert.is(code, 0, output);
  assert.match(output, /"totals":\s*\{\s*"errors":\s*0,\s*"warnings":\s*0/);
});

test('spectral reports no error and no warning', () => {
  const { code, output } = workbench.spectral(workbench.write('notes.json', notes));
  assert.is(code, 0, output);
});

test('both linters report a planted fault', () => {
  const path = workbench.write('broken.json', withFaults());
  assert.is.not(workbench.redocly(path).code, 0);
  assert.is.not(workbench.spectral(path).code, 0);
});

test('a client generated from the document compiles with the right types', async () => {
  const types = astToString(await openapiTypescript(JSON.stringify(notes)));
  workbench.write('schema.d.ts', types);
  workbench.write(
    'client.ts',
    `import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const client = createClient<paths>({ baseUrl: 'https://app.acme.test/messaging' });
const made = await client.POST('/v1/notes', {
  params: { header: { 'Idempotency-Key': 'k1', 'Dry-Run': 'true' } },
  body: { title: 'A note', labels: [{ text: 'x' }] },
});
export const key: string | undefined = made.data?.note.key;
export const code: 'idempotency_key_invalid' | 'validation_failed' | 'insufficient_scope' | string | undefined = made.error?.error.code;
const listed = await client.GET('/v1/notes', { params: { query: { archived: true, limit: 5, kind: ['a', 'b'] } } });
export const stars: number | undefined = listed.data?.data[0]?.stars;
const shared = await client.POST('/v1/notes/{key}/share', { params: { path: { key: 'n1' } }, body: { to: 'ada@example.com' } });
export const to: string | undefined = shared.data?.to;

// @ts-expect-error the title is required
await client.POST('/v1/notes', { body: {} });
// @ts-expect-error stars is a number
await client.POST('/v1/notes', { body: { title: 'a', stars: 'five' } });
// @ts-expect-error the path parameter is required
await client.POST('/v1/notes/{key}/share', { body: { to: 'ada@example.com' } });
// @ts-expect-error stars is a number
export const wrong: string | undefined = listed.data?.data[0]?.stars;
// @ts-expect-error there is no such path
await client.GET('/v1/nothing');
`,
  );
  const { code, output } = workbench.compile(['client.ts']);
  assert.is(code, 0, output);
});

test('the same plugins give the same bytes in any order of composition', () => {
  const otherPlugin = definePlugin({
    id: 'other',
    operations: [
      defineOperation({
        id: 'aside.read',
        summary: 'Read it',
        http: 'GET /v1/aside',
        scopes: ['notes:read'],
        idempotency: 'read',
        output: z.object({ at: z.string() }),
        fixture: async () => ({}),
        handler: async () => ({ at: '' }),
      }),
    ],
  });
  const one = JSON.stringify(documentOf([notesPlugin(), otherPlugin]));
  assert.is(JSON.stringify(documentOf([otherPlugin, notesPlugin()])), one);
  assert.is(JSON.stringify(documentOf([notesPlugin(), otherPlugin])), one);
});

test('every operation lists its tags, scopes, idempotency and tool', () => {
  const share = notes.paths['/v1/notes/{key}/share']?.post;
  assert.is(share?.operationId, 'notes.share');
  assert.equal(share?.tags, ['notes']);
  assert.equal(share?.['x-scopes'], ['notes:share', 'notes:write']);
  assert.is(share?.['x-idempotency'], 'replay');
  assert.is(share?.['x-tool'], 'share_note');
  assert.is(share?.['x-audit'], 'note.share');
  assert.equal(Object.keys(share?.responses ?? {}), [
    '202',
    '400',
    '401',
    '403',
    '404',
    '408',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ]);
  const list = notes.paths['/v1/notes']?.get;
  assert.not.ok('x-audit' in (list ?? {}));
  assert.not.ok(JSON.stringify(list?.parameters).includes('IdempotencyKey'));
  assert.ok(JSON.stringify(share?.parameters).includes('#/components/parameters/IdempotencyKey'));
});

test('an error response lists exactly the codes that can occur', () => {
  const codesOf = (path: string, method: string, status: string): string[] => {
    const reference = notes.paths[path]?.[method]?.responses[status]?.$ref ?? '';
    const response = notes.components.responses[reference.split('/').at(-1) ?? ''];
    return Object.keys(response?.content?.['application/json'].examples ?? {});
  };
  assert.equal(codesOf('/v1/notes', 'get', '400'), ['cursor_invalid']);
  assert.equal(codesOf('/v1/notes/{key}', 'get', '404'), ['note_not_found']);
  assert.equal(codesOf('/v1/notes', 'post', '409'), [
    'idempotency_key_in_progress',
    'idempotency_key_mismatch',
    'state_conflict',
  ]);
  assert.equal(codesOf('/v1/notes/{key}', 'delete', '409'), ['state_conflict']);
  assert.equal(codesOf('/v1/notes', 'get', '403'), ['insufficient_scope', 'leash_exceeded']);
  assert.equal(codesOf('/v1/notes', 'post', '403'), ['insufficient_scope', 'leash_exceeded', 'workspace_suspended']);
  assert.equal(codesOf('/v1/notes', 'get', '429'), ['key_rate_limit', 'workspace_rate_limit']);
});

test('a schema with an id is one component, or two if its input form differs', () => {
  const { schemas } = notes.components;
  assert.equal(Object.keys(schemas), ['Error', 'Label', 'LabelInput', 'Note']);
  assert.equal(schemas.Label?.required, ['text', 'colour']);
  assert.equal(schemas.LabelInput?.required, ['text']);
  assert.equal((schemas.LabelInput?.properties as Record<string, JsonSchema> | undefined)?.colour, {
    type: 'string',
    enum: ['red', 'blue'],
    description: 'Default: "red".',
  });
  const body = notes.paths['/v1/notes']?.post?.requestBody?.content['application/json'].schema as {
    properties: Record<string, JsonSchema>;
  };
  assert.equal(body.properties.labels, { type: 'array', items: { $ref: '#/components/schemas/LabelInput' } });
});

test('response schemas allow further fields, and request schemas forbid them', () => {
  assert.not.ok('additionalProperties' in (notes.components.schemas.Note ?? {}));
  assert.is(
    notes.paths['/v1/notes']?.post?.requestBody?.content['application/json'].schema.additionalProperties,
    false,
  );
});

test('two different schemas with the same id are refused, and the error names the id', () => {
  const pluginWith = (id: string, output: z.ZodObject) =>
    definePlugin({
      id,
      scopes: [{ scope: `${id}:read`, description: 'Reads.' }],
      operations: [
        defineOperation({
          id: `${id}.read`,
          summary: 'Read',
          http: `GET /v1/${id}`,
          scopes: [`${id}:read`],
          idempotency: 'read',
          output,
          fixture: async () => ({}),
          handler: async () => ({}) as never,
        }),
      ],
    });
  const compose = () =>
    documentOf([
      pluginWith('a', z.object({ x: z.string() }).meta({ id: 'Twin' })),
      pluginWith('b', z.object({ y: z.string() })),
    ]);
  assert.not.throws(compose);
  const box = (shape: z.ZodRawShape) => z.object({ value: z.object(shape) });
  const clash = () => {
    const registry = createRegistry(
      [pluginWith('a', box({ x: z.string() })), pluginWith('b', box({ y: z.string() }))],
      [],
    );
    for (const { output } of registry.operations.values())
      (output as z.ZodObject).shape.value?.register(z.globalRegistry, { id: 'Rival' });
    return openapiDocument(registry, info);
  };
  assert.throws(clash, /Rival/);
});

test('a deprecated operation and its responses are marked as deprecated', () => {
  const archive = notes.paths['/v1/notes/{key}']?.delete;
  assert.is(archive?.deprecated, true);
  assert.is(archive?.['x-sunset'], '2026-12-01');
  for (const name of ['Deprecation', 'Sunset', 'Link'])
    assert.ok(name in (archive?.responses['200']?.headers ?? {}), name);
});

test("events are listed under webhooks with the brand's headers and a complete example", () => {
  const sharedEvent = notes.webhooks['note.shared']?.post;
  const names = sharedEvent?.parameters?.map(({ $ref }) => parameters[String($ref).slice(prefix.length)]?.name);
  assert.equal(names, [
    'X-AcmeMail-Event',
    'X-AcmeMail-Delivery',
    'X-AcmeMail-Timestamp',
    'X-AcmeMail-Signature',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  const media = sharedEvent?.requestBody?.content['application/json'];
  const { properties } = (media?.schema ?? {}) as { properties: Record<string, JsonSchema> };
  assert.equal(Object.keys(properties), ['id', 'type', 'timestamp', 'workspace_id', 'source', 'synthetic', 'data']);
  assert.equal([properties.type?.const, properties.source?.const], ['note.shared', 'service']);
  const { value } = (media?.examples?.delivery ?? {}) as { value: Record<string, unknown> };
  assert.equal([value.type, value.source, value.data], ['note.shared', 'service', noteShared.example]);
});

test('custom events have their own entry', () => {
  const data = z.object({ contact: z.object({ id: z.string() }), metadata: z.object({}) });
  const customEvents = { data, example: { contact: { id: 'con_1', external_id: null, email: null }, metadata: {} } };
  const { custom } = documentOf([{ ...notesPlugin(), customEvents }]).webhooks;
  const media = custom?.post.requestBody?.content['application/json'];
  const { properties } = (media?.schema ?? {}) as { properties: Record<string, JsonSchema> };
  assert.equal([properties.source?.const, 'const' in (properties.type ?? {})], ['custom', false]);
  assert.equal(Object.keys((properties.data as { properties: object }).properties), ['contact', 'metadata']);
});

test('if an event needs a plan, its description names the plan', () => {
  const description = (minimumTier?: number) => {
    const event = { ...noteShared, ...(minimumTier === undefined ? {} : { minimumTier }) };
    return documentOf([{ ...notesPlugin(), events: [event] }]).webhooks['note.shared']?.post.description;
  };
  assert.is(description(), 'A note was shared.');
  assert.is(description(2), 'A note was shared. Delivered from the plan pro (tier 2) up.');
});

test('the version is that of package.json', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  assert.is(release, version);
});

test.run();
