// time-limit: 300
// The OpenAPI document of operations with several representations, a second success status, and versions.
// full-run: slow
import openapiTypescript, { astToString } from 'openapi-typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRegistry } from '../../core/kernel/registry.ts';
import { openapiDocument } from '../../core/projections/openapi.ts';
import { openWorkbench } from './openapi/linters.ts';
import { pressPlugin } from './press-plugin.ts';

const test = suite('openapi of representations');
const workbench = openWorkbench();
test.after(() => workbench.remove());

interface Shown {
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string }[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<
    Record<string, { readonly headers?: object; readonly content?: object; readonly $ref?: string }>
  >;
}

const document = openapiDocument(createRegistry([pressPlugin()], []), {
  name: 'Press',
  publicUrl: 'https://press.test',
});
const { paths } = document as { paths: Record<string, Record<string, Shown>> };
const operationOf = (path: string, method: string): Shown => paths[path]?.[method] as Shown;
const headerOf = ({ parameters = [] }: Shown) => parameters.flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []);
const path = workbench.write('openapi.json', document);

test('a response lists every media type, and 406 for other types', () => {
  const { responses } = operationOf('/v1/posters/{id}', 'get');
  assert.equal(Object.keys(responses['200']?.content ?? {}), ['application/json', 'image/svg+xml', 'text/csv']);
  assert.ok('Vary' in (responses['200']?.headers ?? {}));
  assert.match(responses['406']?.$ref ?? '', /NotAcceptable/);
});

test('a second success status is listed after the first', () => {
  const { responses } = operationOf('/v1/posters/{id}/publish', 'post');
  assert.equal(Object.keys(responses).slice(0, 2), ['200', '202']);
});

test('versions add ETag, 304 for reads, and If-Match and 412 for changes', () => {
  const readOperation = operationOf('/v1/posters/{id}', 'get');
  assert.ok('ETag' in (readOperation.responses['200']?.headers ?? {}));
  assert.equal([headerOf(readOperation), '304' in readOperation.responses], [['IfNoneMatch'], true]);
  const change = operationOf('/v1/posters/{id}', 'patch');
  assert.equal([headerOf(change).includes('IfMatch'), '304' in change.responses], [true, false]);
  assert.match(change.responses['412']?.$ref ?? '', /VersionConflict/);
  assert.equal(Object.keys(change.requestBody?.content ?? {}), ['application/json', 'application/merge-patch+json']);
});

test('redocly and spectral report no fault, and a typed client compiles', async () => {
  const redocly = workbench.redocly(path);
  assert.is(redocly.code, 0, redocly.output);
  const spectral = workbench.spectral(path);
  assert.is(spectral.code, 0, spectral.output);
  workbench.write('schema.d.ts', astToString(await openapiTypescript(JSON.stringify(document))));
  workbench.write(
    'client.ts',
    `import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const client = createClient<paths>({ baseUrl: 'https://press.test' });
const params = { path: { id: 'pos_1' } };
const csv = await client.GET('/v1/posters/{id}', { params, headers: { Accept: 'text/csv' }, parseAs: 'text' });
export const text: string | undefined = csv.response.ok ? String(csv.data) : undefined;
const done = await client.POST('/v1/posters/{id}/publish', { params, body: {} });
export const waits: string | undefined = done.data !== undefined && 'approval' in done.data ? done.data.approval.status : undefined;
`,
  );
  const { code, output } = workbench.compile(['client.ts']);
  assert.is(code, 0, output);
});

test.run();
