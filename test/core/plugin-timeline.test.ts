// The timeline of a person: entries of all plugins in one order, page by page, without duplicates or gaps.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { WorkspaceHandle } from '../../core/contract/context/handle.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import {
  defineTimelineSource,
  type TimelinePosition,
  type TimelineSource,
} from '../../core/contract/declaration/timeline.ts';
import { createService } from '../../core/kernel/compose.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { contactsPlugin } from '../../plugins/contacts/index.ts';
import { suppressionsPlugin } from '../../plugins/suppressions/index.ts';

const test = suite('timeline');

const isAfter = (one: TimelinePosition, other: TimelinePosition): boolean =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);

/** A source over positions in memory that returns pages like an index */
const sourceOf = (kind: string, positions: readonly TimelinePosition[], asked: string[] = []): TimelineSource =>
  defineTimelineSource({
    kind,
    fields: z.object({ note: z.string() }),
    async list(_, { personId, email }, { limit, after }) {
      asked.push(`${personId} ${email}`);
      return [...positions]
        .sort((a, b) => (isAfter(a, b) ? 1 : -1))
        .filter((position) => after === undefined || isAfter(position, after))
        .slice(0, limit)
        .map((position) => ({ ...position, fields: { note: `${kind} ${position.id}` } }));
    },
  });

const handle = {} as WorkspaceHandle;
const subject = { personId: 'con_1', email: 'ada@example.com' };
const start = Date.parse('2026-01-01T00:00:00.000Z');

const portOf = (sources: readonly TimelineSource[]) =>
  createService({
    storage: sqliteStorage({ filename: ':memory:' }),
    plugins: sources.map((source) => definePlugin({ id: source.kind, timeline: [source] })),
  }).core.ports.timeline;

test('for any sources and page sizes, the pages contain all entries, newest first', async () => {
  const position = fc.record({
    createdAt: fc.integer({ min: 0, max: 4 }),
    id: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 6, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), position), {
        selector: ([, { id }]) => id,
        maxLength: 25,
      }),
      fc.integer({ min: 1, max: 7 }),
      async (entries, limit) => {
        const sources = ['a', 'b', 'c'].map((kind) =>
          sourceOf(
            kind,
            entries.flatMap(([of, { id, createdAt }]) => (of === kind ? [{ id, createdAt: start + createdAt }] : [])),
          ),
        );
        const port = portOf(sources);
        const seen: string[] = [];
        let after: TimelinePosition | undefined;
        do {
          const page = await port.read(handle, subject, { limit, after });
          assert.ok(page.items.length <= limit);
          assert.ok(page.next === undefined || page.items.length === limit, 'only the last page may be short');
          seen.push(...page.items.map(({ kind, id }) => `${kind} ${id}`));
          after = page.next;
        } while (after !== undefined);
        const all = entries.map(([kind, { id, createdAt }]) => ({ kind, id, createdAt }));
        all.sort((one, other) => (isAfter(one, other) ? 1 : -1));
        assert.equal(
          seen,
          all.map(({ kind, id }) => `${kind} ${id}`),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('an entry has its kind, its id, its time and the fields of its source', async () => {
  const requests: string[] = [];
  const { items, next } = await portOf([sourceOf('call', [{ id: 'cal_1', createdAt: start }], requests)]).read(
    handle,
    subject,
    { limit: 5 },
  );
  assert.equal(items, [{ kind: 'call', id: 'cal_1', ts: '2026-01-01T00:00:00.000Z', note: 'call cal_1' }]);
  assert.is(next, undefined);
  assert.equal(requests, ['con_1 ada@example.com']);
});

test('two plugins cannot declare the same kind of entry', () => {
  const plugins = ['one', 'two'].map((id) => definePlugin({ id, timeline: [sourceOf('call', [])] }));
  assert.throws(
    () => createService({ storage: sqliteStorage({ filename: ':memory:' }), plugins }),
    /The timeline source call is declared by one and by two/,
  );
});

test("a third-party plugin's entries are on the contact's timeline and in the OpenAPI document", async () => {
  const calls = definePlugin({
    id: 'calls',
    timeline: [sourceOf('call', [{ id: 'cal_1', createdAt: Date.parse('2026-02-01T00:00:00.000Z') }])],
  });
  const { service, request, close } = await createTestService({
    plugins: [contactsPlugin(), suppressionsPlugin(), calls],
  });
  const { body: contact } = await request('/v1/contacts', { body: { email: 'ada@example.com' } });
  const { body } = await request(`/v1/contacts/${contact.id}`);
  assert.equal(body.timeline, [{ kind: 'call', id: 'cal_1', ts: '2026-02-01T00:00:00.000Z', note: 'call cal_1' }]);
  const { components } = service.openapi() as ReturnType<typeof JSON.parse>;
  const kinds = components.schemas.TimelineItem.oneOf ?? components.schemas.TimelineItem.anyOf;
  assert.equal(kinds.map((kind: ReturnType<typeof JSON.parse>) => kind.properties.kind.const).sort(), [
    'call',
    'event',
  ]);
  await close();
});

test.run();
