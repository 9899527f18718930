// The common statements of a declared table: selecting some columns, decoding rows of custom SQL, and the side column
import * as assert from 'uvu/assert';
import {
  column,
  defineMigration,
  definePlugin,
  defineTable,
  presenter,
  type StoredRow,
  tenantRows,
  type WorkspaceHandle,
  z,
} from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { twoDatabases } from '../support/databases.ts';

const replies = defineTable(
  'replies',
  {
    id: column.id('rpl'),
    sandbox: column.flag(),
    text: column.text(),
    writer: column.address().nullable(),
    tags: column.json<string[]>(),
    read: column.flag(),
    created_at: column.time(),
  },
  { sides: true, personal: { columns: { text: 'text', writer: 'address' }, rows: 'plugin' } },
);

declare module '../../core/contract/open.ts' {
  interface Tables {
    replies: StoredRow<typeof replies>;
  }
}

const plugin = definePlugin({
  id: 'replies',
  tables: { replies },
  personalData: { export: async () => ({}), erase: async () => 'done' },
  migrations: [
    defineMigration({
      id: '0001-replies',
      changes: [{ create: 'replies', columns: { ...replies.columns }, primaryKey: ['id'] }],
    }),
  ],
});

const rows = tenantRows(replies);
const heads = tenantRows(replies, { columns: ['id', 'read', 'created_at'] });
const one = { id: 'rpl_1', sandbox: false, text: 'Hello', writer: null, tags: ['a'], read: true, created_at: 5 };

await twoDatabases('rows of a declared table', (test, database) => {
  let bench: Awaited<ReturnType<typeof createTestService<'replies'>>>;
  test.before(async () => {
    bench = await createTestService({
      plugins: [plugin],
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
    });
  });
  test.after(() => bench.close());

  /** Runs with a handle of the live side, and rolls everything back. */
  const onLive = async (work: (handle: WorkspaceHandle) => Promise<void>): Promise<void> => {
    const db = await bench.service.core.database();
    const undone = new Error('undone');
    await db
      .transact(async (scope) => {
        await work(scope.handle({ workspaceId: bench.workspaceId, sandbox: false }));
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
  };

  test('a table that declares its side column returns it, and the handle fills it in', () =>
    onLive(async (live) => {
      await rows.insert(live, one);
      await rows.insert(live.onSide(true), { ...one, id: 'rpl_2', sandbox: true });
      assert.equal(await rows.find(live, 'rpl_1'), one);
      assert.is(await rows.find(live, 'rpl_2'), undefined);
      const both = await rows.page(live.bothSides('the test looks at both sides'), { limit: 10 });
      assert.equal(
        both.map(({ id, sandbox }) => [id, sandbox]),
        [
          ['rpl_2', true],
          ['rpl_1', false],
        ],
      );
    }));

  test('a row for the other side is refused', () =>
    onLive(async (live) => {
      const thrown = await rows.insert(live, { ...one, sandbox: true }).catch((error: Error) => error.message);
      assert.match(String(thrown), 'another side than its handle');
    }));

  test('a selection has exactly its columns, and rows of custom SQL are decoded in the same way', () =>
    onLive(async (live) => {
      await rows.insert(live, one);
      assert.equal(await heads.find(live, 'rpl_1'), { id: 'rpl_1', read: true, created_at: 5 });
      const [stored] = await live.db.selectFrom('replies').selectAll().execute();
      assert.equal(rows.decode(stored ?? {}), one);
      assert.equal(heads.decode(stored ?? {}), { id: 'rpl_1', read: true, created_at: 5 });
    }));

  test('an address is normalised when it is written and when it is compared', () =>
    onLive(async (live) => {
      const input = { ...one, writer: ' Ada.L@GoogleMail.com' };
      const normalisedEmail = 'adal@gmail.com';
      assert.is((await rows.insert(live, input)).writer, normalisedEmail);
      const row = await rows.findBy(live, { writer: 'A.Dal@gmail.com' });
      assert.equal(row, { ...one, writer: normalisedEmail });
      assert.is(await rows.count(live, { writer: input.writer }, 5), 1);
      assert.is((await rows.page(live, { where: { writer: input.writer }, limit: 5 })).length, 1);
      assert.is((await rows.findIn(live, 'writer', [input.writer])).length, 1);
      assert.is((await rows.change(live, input, { writer: 'Bo@Example.com' })).writer, 'bo@example.com');
      assert.ok(await rows.update(live, 'rpl_1', { writer: 'Cy@Example.com' }, { writer: 'BO@example.com' }));
      assert.is((await rows.find(live, 'rpl_1'))?.writer, 'cy@example.com');
      const byWriter = tenantRows({ ...replies, key: 'writer' });
      assert.is((await byWriter.find(live, 'CY@example.com'))?.id, 'rpl_1');
      assert.ok(await byWriter.remove(live, 'CY@example.com'));
    }));

  test("the personal columns are part of the table's declaration", () => {
    assert.equal(replies.personal, { columns: { text: 'text', writer: 'address' }, rows: 'plugin' });
    assert.is(rows.table.personal, replies.personal);
  });

  test('a presenter for some columns returns them under their wire names', () => {
    const resource = z.object({ id: z.string(), createdAt: z.string(), isRead: z.boolean() });
    const present = presenter<typeof replies, typeof resource, 'id' | 'read' | 'created_at'>(replies, resource, {
      isRead: ({ read }) => read,
    });
    assert.equal(present({ id: 'rpl_1', read: true, created_at: 5 }), {
      id: 'rpl_1',
      createdAt: '1970-01-01T00:00:00.005Z',
      isRead: true,
    });
  });
});
