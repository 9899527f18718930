// time-limit: 300
// The OpenAPI document of the standard plugins, checked with common tools.
// full-run: slow
import openapiTypescript, { astToString } from 'openapi-typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRegistry } from '../../core/kernel/registry.ts';
import { openapiDocument } from '../../core/projections/openapi.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { openWorkbench } from './openapi/linters.ts';

const test = suite('openapi of the standard plugins');
const workbench = openWorkbench();
test.after(() => workbench.remove());

const document = openapiDocument(createRegistry(standardPlugins, []), { name: 'Postrider', publicUrl: undefined });
const path = workbench.write('openapi.json', document);

test('redocly reports no error with its recommended rules', () => {
  const { code, output } = workbench.redocly(path);
  assert.is(code, 0, output);
  assert.match(output, /"totals":\s*\{\s*"errors":\s*0/);
});

test('spectral reports no error and no warning', () => {
  const { code, output } = workbench.spectral(path);
  assert.is(code, 0, output);
});

test('a typed client that omits fields with defaults compiles', async () => {
  workbench.write('schema.d.ts', astToString(await openapiTypescript(JSON.stringify(document))));
  workbench.write(
    'client.ts',
    `import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const client = createClient<paths>({ baseUrl: 'https://app.acme.test/messaging' });
const sent = await client.POST('/v1/templates/{key}/send', {
  params: { path: { key: 'welcome' }, header: { 'Idempotency-Key': 'order-1' } },
  body: { to: 'ada@example.com', variables: { name: 'Ada' } },
});
export const id: string | undefined = sent.data?.id;
export const code: string | undefined = sent.error?.error.code;
const sends = await client.GET('/v1/sends', { params: { query: { limit: 5 } } });
export const next: string | null | undefined = sends.data?.next_cursor;
await client.POST('/v1/templates', { body: { key: 'welcome', subject: 'Hello', body: '<p>Hello</p>' } });

// @ts-expect-error a send needs a recipient
await client.POST('/v1/templates/{key}/send', { params: { path: { key: 'welcome' } }, body: { variables: {} } });
// @ts-expect-error an id is text
export const wrong: number | undefined = sent.data?.id;
`,
  );
  const { code, output } = workbench.compile(['client.ts']);
  assert.is(code, 0, output);
});

test.run();
