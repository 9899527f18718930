// A statement of one workspace reads only from tables by the names that plugins declare. Every other way to name a
// table, and every other spelling of the handle's columns, is refused.
import { type JoinBuilder, sql } from 'kysely';
import * as assert from 'uvu/assert';
import type { WorkspaceHandle } from '../../core/contract/context/handle.ts';
import { eachLetters, ids } from './isolation-letters.ts';

const catalogues = {
  sqlite: 'sqlite_master',
  postgres: 'pg_catalog.pg_stats',
  mariadb: 'information_schema.tables',
} as const;

await eachLetters('isolation of names', (test, letters, database) => {
  test('a reference, a dynamic name, or raw SQL as a table is refused', async () => {
    const storedName = `${letters.prefix}crates`;
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom((eb) => eb.ref(storedName as never).as('x') as never)
          .selectAll()
          .execute(),
      /by their names/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom('stamps')
          .innerJoin(
            (eb) => eb.ref(storedName as never).as('x') as never,
            (join: JoinBuilder<never, never>) => join.onTrue(),
          )
          .selectAll()
          .execute(),
      /by their names/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom(sql`${sql.ref(storedName)}`.as('x'))
          .selectAll()
          .execute(),
      /names the table/,
    );
    await letters.refused(
      ({ db }) => db.selectNoFrom(sql<string>`id from ${sql.ref(storedName)}`.as('id')).execute(),
      /names the table/,
    );
    await letters.refused(
      ({ db }) => db.selectFrom(sql`another_schema.crates`.as('x')).selectAll().execute(),
      /call a function/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom(db.dynamic.table(storedName as 'crates').as('x'))
          .selectAll()
          .execute(),
      /without prefix or schema/,
    );
  });

  test('tables of the database itself and of another schema are refused', async () => {
    for (const name of [catalogues[database.name], 'another_schema.things'])
      await letters.refused(
        ({ db }) =>
          db
            .selectFrom(name as 'crates')
            .selectAll()
            .execute(),
        /another schema/,
      );
  });

  test('rows that a function returns are not changed', async () => {
    const values = database.name === 'postgres' ? sql`generate_series(1, 2)` : sql`json_each('[1,2]')`;
    if (database.name === 'mariadb') return;
    const rows = await letters.live(({ db }) => db.selectFrom(values.as('x')).selectAll().execute());
    assert.is(rows.length, 2);
  });

  test('an alias with the name of another table is refused', async () => {
    await letters.refused(
      ({ db }) => db.selectFrom(['stamps', 'crates as stamps']).selectAll().execute(),
      /alias that no table has/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom('stamps')
          .innerJoin('crates as STAMPS', (join) => join.onTrue())
          .selectAll()
          .execute(),
      /alias that no table has/,
    );
    await letters.refused(
      ({ db }) => db.deleteFrom('stamps').using('crates as stamps').execute(),
      /stamps and crates different aliases: both have stamps/,
    );
  });

  test('the same alias for two tables of a deletion is refused', async () => {
    await letters.refused(
      ({ db }) => db.deleteFrom('crates as c').using('stamps as c').execute(),
      /Give crates and stamps different aliases: both have c\b/,
    );
    // A table without workspace rows has no condition that could be removed. The database itself refuses the alias, with its own message.
    const statement = await letters.live(async ({ db }) =>
      db.deleteFrom('crates as c').using('schedule_slots as c').compile(),
    );
    assert.match(statement.sql, /where .c.\..workspace_id. = /);
  });

  test('a deletion may name its table in USING, either directly or by its alias', async () => {
    if (database.name === 'sqlite') return;
    const deletion = ({ db }: WorkspaceHandle) =>
      database.name === 'mariadb'
        ? db.deleteFrom('c' as 'crates').using('crates as c' as 'crates')
        : db.deleteFrom('crates').using('stamps').whereRef('stamps.crate_id', '=', 'crates.id');
    await letters.live((handle) => deletion(handle).execute());
    assert.is(ids(await letters.all()), database.name === 'mariadb' ? 'b1,b2,s1' : 'a2,b1,b2,s1');
  });

  test('the columns of the handle are refused in other letter case, in raw SQL, or if they are given twice', async () => {
    await letters.refused(
      ({ db }) =>
        db
          .updateTable('crates')
          .set({ WORKSPACE_ID: letters.theirs } as never)
          .execute(),
      /belongs to the handle/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .updateTable('crates')
          .set({ Sandbox: 1 } as never)
          .execute(),
      /belongs to the handle/,
    );
    await letters.refused(
      ({ db }) => db.updateTable('crates').set(sql`workspace_id`, letters.theirs).execute(),
      /Name the columns/,
    );
    const stamp = { id: 'n1', crate_id: 'b1', price: 4 };
    await letters.refused(
      ({ db }) =>
        db
          .insertInto('stamps')
          .values({ ...stamp, WORKSPACE_ID: letters.theirs } as never)
          .execute(),
      /belongs to the handle/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .insertInto('stamps')
          .values({ ...stamp, workspace_id: letters.mine, WORKSPACE_ID: letters.theirs } as never)
          .execute(),
      /once/,
    );
  });

  test('writes inside a common table expression stay in the workspace', async () => {
    if (database.name !== 'postgres') return;
    const rows = await letters.live(({ db }) =>
      db
        .with('gone', (inner) => inner.deleteFrom('crates').returning('id'))
        .selectFrom('gone')
        .select('id')
        .execute(),
    );
    assert.is(ids(rows), 'a1,a2');
    assert.is(ids(await letters.all()), 'b1,b2,s1');
  });

  test('an update and a delete over several tables stay in the workspace', async () => {
    if (database.name === 'mariadb') {
      await letters.live(({ db }) =>
        db
          .updateTable(['crates', 'stamps'])
          .set({ price: 8 } as never)
          .execute(),
      );
    } else {
      const rows = await letters.live(({ db }) =>
        db.updateTable('crates').from('stamps').set({ pages: 8 }).returning('crates.id as id').execute(),
      );
      assert.is(ids(rows), 'a1,a2');
    }
    const foreign = (await letters.all()).filter(({ id }) => !id.startsWith('a'));
    assert.ok(foreign.every(({ pages }) => Number(pages) === 1));
    const stamps = await letters.run({ unscoped: 'the test looks at every row' }, ({ db }) =>
      db
        .selectFrom('stamps')
        .select(['id', 'price'])
        .where('workspace_id', '=', letters.theirs)
        .orderBy('id')
        .execute(),
    );
    assert.equal(
      stamps.map(({ id, price }) => `${id} ${Number(price)}`),
      ['sb 2', 'sc 3'],
    );
  });
});
