// Recorded examples: the values that the recorder stores, and their places in the document.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definePlugin, type OperationExamples } from '../../core/index.ts';
import { createRegistry } from '../../core/kernel/registry.ts';
import { openapiDocument } from '../../core/projections/openapi.ts';
import { recordExamples, shorten } from '../../hosts/testing/record-examples.ts';
import { createStableIds } from '../../hosts/testing/stable-ids.ts';
import type { ExampleSource } from '../../hosts/testing/stage-example.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { auditPlugin } from '../../plugins/audit/index.ts';
import { suppressionsPlugin } from '../../plugins/suppressions/index.ts';
import { notesPlugin } from './notes-plugin.ts';

const test = suite('openapi: examples');

const info = { name: 'Acme Mail', publicUrl: undefined };
const source = (seed: number): ExampleSource => ({
  async open() {
    const bench = await createTestService({ plugins: [auditPlugin(), suppressionsPlugin(), notesPlugin()] });
    // Draws some more ids before the call.
    for (let drawn = 0; drawn < seed; drawn += 1) bench.service.core.ports.ids.create('any');
    return bench;
  },
  idempotencyKey: 'order-1',
  names: { suppressed: ['ada'] },
});

test('two recordings are the same, even if different ids were drawn', async () => {
  const [first, second] = [await recordExamples(source(1)), await recordExamples(source(7))];
  assert.equal(first, second);
  assert.equal(Object.keys(first), [...Object.keys(first)].sort());
});

test('an example contains the request, the response and its effects', async () => {
  const { 'notes.share': share, 'suppressions.create': create } = await recordExamples(source(0));
  assert.equal(share?.params, { key: 'n1' });
  assert.equal(share?.body, { to: 'ada@example.com' });
  assert.is((share?.answer as { shared: string } | undefined)?.shared, 'n1');
  assert.is(share?.credits, 2);
  assert.equal(create?.body, { email: 'ada@example.com' });
  assert.not.ok('credits' in (create ?? {}));
});

test('a list that would be empty is recorded with rows from the fixtures of other operations', async () => {
  const { 'suppressions.list': list } = await recordExamples(source(0), ({ id }) => id === 'suppressions.list');
  const answer = list?.answer as { data: { email: string }[] } | undefined;
  assert.ok(answer !== undefined && answer.data.length > 0);
});

test('ids, key prefixes, secrets and cursors are replaced consistently in every place', () => {
  const ids = createStableIds();
  const id = 'snd_01M7WQRWM80000000000000001';
  const cursor = Buffer.from(JSON.stringify(['sends', 1, id])).toString('base64url');
  const recording = {
    id,
    text: `see ${id}`,
    key: 'acme_live_a1B2c3',
    secret: 'whsec_abcdefgh12345',
    next_cursor: cursor,
  };
  const stable = ids.replace(recording);
  assert.is.not(stable.id, id);
  assert.match(stable.id, /^snd_01M7WQRWM8[0-9A-HJKMNP-TV-Z]{16}$/);
  assert.is(stable.text, `see ${stable.id}`);
  assert.is.not(stable.key, recording.key);
  assert.is.not(stable.secret, recording.secret);
  assert.is(JSON.parse(Buffer.from(stable.next_cursor, 'base64url').toString('utf8'))[2], stable.id);
  assert.is(ids.restore(`/v1/sends/${stable.id}`), `/v1/sends/${id}`);
});

test('a very long text is cut', () => {
  assert.equal(shorten({ a: ['x'.repeat(300)], b: 1, c: null }), { a: ['x'.repeat(300)], b: 1, c: null });
  assert.equal(shorten(['x'.repeat(301)]), [`${'x'.repeat(160)}…`]);
});

interface Described {
  readonly paths: Record<string, Record<string, { parameters?: object[]; requestBody?: object; responses: object }>>;
}

const withExamples = (id: string, examples: OperationExamples) => definePlugin({ id, examples: () => examples });
const describe = (...examples: ReturnType<typeof withExamples>[]) =>
  openapiDocument(createRegistry([notesPlugin(), ...examples], []), info) as unknown as Described;

test('the document shows examples at the parameters, the body and the response', () => {
  const { paths } = describe(
    withExamples('examples', {
      'notes.list': { query: { limit: '2', archived: 'true' }, answer: { data: [], next_cursor: null } },
      'notes.share': { params: { key: 'n7' }, body: { to: 'ada@example.com' }, answer: { shared: 'n7' }, credits: 2 },
      'nobody.knows': { answer: {} },
    }),
  );
  const list = paths['/v1/notes']?.get;
  const examplesShown = Object.fromEntries(
    ((list?.parameters ?? []) as { name: string; example?: unknown }[]).map(({ name, example }) => [name, example]),
  );
  assert.equal([examplesShown.limit, examplesShown.archived, examplesShown.cursor], [2, true, undefined]);
  const share = paths['/v1/notes/{key}/share']?.post as Record<string, unknown> | undefined;
  assert.is(share?.['x-credits'], 2);
  assert.ok(JSON.stringify(share?.parameters).includes('"x-argument":"note"'));
  assert.ok(JSON.stringify(share?.requestBody).includes('"example":{"to":"ada@example.com"}'));
  assert.ok(JSON.stringify(share?.responses).includes('"example":{"shared":"n7"}'));
  assert.not.ok(JSON.stringify(paths).includes('nobody.knows'));
});

test('if two plugins give an example for an operation, the example of its own plugin is shown, in any order', () => {
  const [a, z] = [
    withExamples('a', { 'notes.read': { answer: { from: 'a' } } }),
    withExamples('z', { 'notes.read': { answer: { from: 'z' } } }),
  ];
  assert.ok(JSON.stringify(describe(a, z)).includes('"from":"a"'));
  assert.equal(describe(a, z), describe(z, a));
  const ownPlugin = { ...notesPlugin(), examples: () => ({ 'notes.read': { answer: { from: 'notes' } } }) };
  const document = JSON.stringify(openapiDocument(createRegistry([a, ownPlugin, z], []), info));
  assert.ok(document.includes('"from":"notes"'));
  assert.not.ok(document.includes('"from":"a"'));
});

test.run();
