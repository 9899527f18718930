// A plugin with deliberate faults that the fuzzing and the attacks in this folder must find. Used by the tests of these checks.
import { z } from 'zod';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';

/** Throws a TypeError if a label is null. */
const labelThing = defineOperation({
  id: 'planted.label',
  summary: 'Label a thing',
  http: 'POST /v1/planted/labels',
  tool: 'label_thing',
  scopes: ['planted:write'],
  idempotency: 'recorded',
  input: { body: z.object({ labels: z.record(z.string(), z.unknown()) }) },
  output: z.object({ length: z.number() }),
  audit: { action: 'planted.label', target: () => ({ kind: 'thing', id: 'it' }) },
  fixture: async () => ({ body: { labels: { a: 'text' } } }),
  handler: async (_ctx, { body }) => {
    const lengths = Object.values(body.labels).map((label) => String((label as { length: number }).length).length);
    return { length: lengths.reduce((sum, length) => sum + length, 0) };
  },
});

/** Fails on names outside ASCII. */
const readThing = defineOperation({
  id: 'planted.read',
  summary: 'Read a thing',
  http: 'GET /v1/planted/things/{name}',
  tool: 'read_thing',
  scopes: ['planted:write'],
  idempotency: 'read',
  input: { params: z.object({ name: z.string() }) },
  output: z.object({ name: z.string() }),
  fixture: async () => ({ params: { name: 'it' } }),
  handler: async (_ctx, { params }) => {
    if (/[^ -~]/.test(params.name)) throw new RangeError('no such character');
    return { name: params.name };
  },
});

/** Returns output that does not match its own schema if the request is for a large page. */
const listThings = defineOperation({
  id: 'planted.list',
  summary: 'List things',
  http: 'GET /v1/planted/things',
  tool: 'list_things',
  scopes: ['planted:write'],
  idempotency: 'read',
  input: { query: z.object({ limit: z.coerce.number().int().max(1_000).default(1) }) },
  output: z.object({ data: z.array(z.string()).max(100) }),
  fixture: async () => ({}),
  handler: async (_ctx, { query }) => ({ data: Array<string>(Math.max(0, query.limit)).fill('it') }),
});

/** Compose this plugin with the standard plugins. */
export const plantedPlugin = () =>
  definePlugin({
    id: 'planted',
    scopes: [{ scope: 'planted:write', description: 'For tests.' }],
    operations: [labelThing, readThing, listThings],
  });
