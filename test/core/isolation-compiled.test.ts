// A statement that is compiled once passes the same checks of the handle as any other: with any function, it reaches no row of another
// workspace or side. Outside a transaction, a statement can only read.
import { type Compilable, CompiledQuery, type KyselyPlugin, sql } from 'kysely';
import * as assert from 'uvu/assert';
import { defineStatement, type Statement, type WorkspaceHandle } from '../../core/contract/context/handle.ts';
import { isStorageError } from '../../core/contract/ports/storage.ts';
import { oneSide, unscoped } from '../../core/storage/scope.ts';
import { at, eachLetters, ids } from './isolation-letters.ts';

type Found = { readonly id: string };

/** Removes every condition after the handle has added its own. */
const withoutConditions: KyselyPlugin = {
  transformQuery: ({ node }) => ({ ...node, where: undefined }) as never,
  transformResult: async ({ result }) => result,
};

await eachLetters('isolation of statements that are compiled once', (test, letters, database) => {
  const foreignStatements = (): Readonly<Record<string, (handle: WorkspaceHandle) => Statement<object, Found>>> => ({
    'without the plugins of the builder': () =>
      defineStatement((db) =>
        db
          .withoutPlugins()
          .selectFrom(`${letters.prefix}crates` as 'crates')
          .select('id'),
      ),
    'a statement that is raw text': () =>
      defineStatement(() => ({ compile: () => CompiledQuery.raw(`select id from ${letters.prefix}crates`) }) as never),
    'the builder of every workspace': (handle) =>
      defineStatement(() => handle.unscoped('the test tries').db.selectFrom('crates').select('id')),
    'the builder of both sides': (handle) =>
      defineStatement(() => handle.bothSides('the test tries').db.selectFrom('crates').select('id')),
    'the builder of this handle, which would keep its workspace': (handle) =>
      defineStatement(() => handle.db.selectFrom('crates').select('id')),
    'a plugin that removes the conditions': () =>
      defineStatement((db) => db.withPlugin(withoutConditions).selectFrom('crates').select('id')),
  });

  test('a select from a foreign builder is refused, on one side and on both sides', async () => {
    for (const [title, statement] of Object.entries(foreignStatements()))
      for (const sideScope of ['one side', 'both sides']) {
        if (title === 'the builder of both sides' && sideScope === 'both sides') continue;
        let rows: readonly Found[] | undefined;
        await letters.refused(async (live) => {
          const handle = sideScope === 'one side' ? live : live.bothSides('the test tries');
          rows = await handle.all(statement(live), {});
        }, /did not pass/);
        assert.is(rows, undefined, `${title}, ${sideScope}`);
      }
  });

  test('a statement that one handle has refused is refused by every other handle', async () => {
    let keptStatement: Statement<object, Found> | undefined;
    const statement = (handle: WorkspaceHandle) => {
      keptStatement ??= defineStatement(() => handle.unscoped('the test tries').db.selectFrom('crates').select('id'));
      return keptStatement;
    };
    await letters.refused((handle) => handle.all(statement(handle), {}), /did not pass/);
    await letters.refused((handle) => handle.all(statement(handle), {}), /did not pass/);
  });

  test('a write from a foreign builder is refused, both at once and at the end of the transaction', async () => {
    const deletes = defineStatement((db) => db.withoutPlugins().deleteFrom(`${letters.prefix}crates` as 'crates'));
    await letters.refused((handle) => handle.run(deletes, {}), /did not pass/);
    await letters.refused(async (handle) => {
      const { db } = handle.unscoped('the test tries');
      handle.defer(
        defineStatement(() => db.updateTable('crates').set({ pages: 9 })),
        {},
      );
    }, /did not pass/);
  });

  test('an unscoped handle accepts raw SQL texts', async () => {
    const text = defineStatement<object, Found>(
      () =>
        ({ compile: () => CompiledQuery.raw(`select id from ${letters.prefix}crates`) }) as Compilable<Found> as never,
    );
    const rows = await letters.live((handle) => handle.unscoped('the test compares').all(text, {}));
    assert.is(ids(rows), 'a1,a2,b1,b2,s1');
  });

  const letter = { id: 'n1', topic: 'new', pages: 1, created_at: at, updated_at: at };
  const updates = defineStatement((db) => db.updateTable('crates').set({ pages: 9 }));

  test('every kind of handle refuses a write outside a transaction', async () => {
    const { prefix, read, all, mine } = letters;
    const writes: readonly ((handle: WorkspaceHandle) => Promise<unknown>)[] = [
      ({ db }) => db.insertInto('crates').values(letter).execute(),
      ({ db }) => db.updateTable('crates').set({ pages: 9 }).execute(),
      ({ db }) => db.deleteFrom('crates').execute(),
      (handle) => handle.run(updates, {}),
      (handle) => handle.onSide(true).run(updates, {}),
      (handle) => handle.bothSides('the test tries').db.deleteFrom('crates').execute(),
      (handle) => handle.unscoped('the test tries').db.deleteFrom('crates').execute(),
      (handle) => sql`delete from ${sql.table('crates')}`.execute(handle.unscoped('the test tries').db),
      (handle) => sql.raw(`/* all */ delete from ${prefix}crates`).execute(handle.unscoped('the test tries').db),
      (handle) => handle.unscoped('the test tries').db.schema.dropTable('crates').execute(),
    ];
    const hidden = ({ db }: WorkspaceHandle) =>
      db
        .with('gone', (inner) => inner.deleteFrom('crates').returning('id'))
        .selectFrom('gone')
        .select('id')
        .execute();
    const before = await all();
    for (const write of database.name === 'postgres' ? [...writes, hidden] : writes) {
      const error = await read(oneSide(mine, false), write).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.ok(isStorageError(error, 'other'), String(error ?? write));
      assert.match(error.message, /was refused: read\(\) only reads\. Write inside transact\(\)\./);
    }
    assert.equal(await all(), before);
  });

  test('reads work outside a transaction: unions, common table expressions, raw SQL texts', async () => {
    const { read, mine, prefix } = letters;
    await read(oneSide(mine, false), async ({ db }) => {
      const rows = await db
        .with('found', (inner) => inner.selectFrom('crates').select('id'))
        .selectFrom('found')
        .select('id')
        .unionAll(db.selectFrom('stamps').select('id'))
        .execute();
      assert.is(ids(rows), 'a1,a2,sa');
    });
    await read(unscoped('the test reads with texts'), async ({ db }) => {
      for (const text of [
        `select id from ${prefix}crates`,
        `with found as (select id from ${prefix}crates) select id from found where id <> 'delete'`,
      ]) {
        const { rows } = await sql.raw<Found>(text).execute(db);
        assert.is(ids(rows), 'a1,a2,b1,b2,s1', text);
      }
    });
  });
});
