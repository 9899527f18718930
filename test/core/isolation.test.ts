// A statement that is built through a workspace's handle reads only rows of that workspace, however it is written. On a table with sides
// it reads only rows of the handle's side.
import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { defineStatement, type WorkspaceHandle } from '../../core/contract/context/handle.ts';
import { oneSide, unscoped } from '../../core/storage/scope.ts';
import { eachLetters, ids } from './isolation-letters.ts';

await eachLetters('isolation of reads', (test, letters) => {
  test('a select without a condition reads only rows of the handle', async () => {
    assert.is(ids(await letters.live(({ db }) => db.selectFrom('crates').select('id').execute())), 'a1,a2');
  });

  test('a select of workspace_id with a foreign id finds no row', async () => {
    const rows = await letters.live(({ db }) =>
      db.selectFrom('crates').select(['id', 'workspace_id']).where('id', '=', 'b1').execute(),
    );
    assert.equal(rows, []);
  });

  test('a condition on another workspace_id finds no foreign row', async () => {
    const rows = await letters.live(({ db }) =>
      db.selectFrom('crates').select('id').where('workspace_id', '!=', 'ws_x').execute(),
    );
    assert.is(ids(rows), 'a1,a2');
    assert.equal(
      await letters.live(({ db }) =>
        db.selectFrom('crates').select('id').where('workspace_id', '=', letters.theirs).execute(),
      ),
      [],
    );
  });

  test('an OR next to the workspace condition reads no foreign row', async () => {
    const rows = await letters.live(({ db, workspaceId }) =>
      db
        .selectFrom('crates')
        .select('id')
        .where((eb) => eb.or([eb('workspace_id', '=', workspaceId), eb('id', '=', 'b1')]))
        .execute(),
    );
    assert.is(ids(rows), 'a1,a2');
  });

  test('a join whose workspace condition names only one table joins no foreign row', async () => {
    const prices = await letters.live(({ db, workspaceId }) =>
      db
        .selectFrom('crates')
        .innerJoin('stamps', 'stamps.crate_id', 'crates.id')
        .select('stamps.price as price')
        .where('crates.workspace_id', '=', workspaceId)
        .execute(),
    );
    assert.equal(
      prices.map(({ price }) => Number(price)),
      [1],
    );
  });

  test('a left join keeps rows without a match and joins no foreign row', async () => {
    const rows = await letters.live(({ db }) =>
      db
        .selectFrom('crates as l')
        .leftJoin('stamps as s', 's.crate_id', 'l.id')
        .select(['l.id as id', 's.id as stamp'])
        .orderBy('l.id')
        .execute(),
    );
    assert.equal(rows, [
      { id: 'a1', stamp: 'sa' },
      { id: 'a2', stamp: null },
    ]);
  });

  test('two tables in FROM and a cross join read only rows of the handle', async () => {
    const pairs = await letters.live(({ db }) =>
      db.selectFrom(['crates', 'stamps']).select(['crates.id as id', 'stamps.id as stamp']).execute(),
    );
    assert.is(pairs.length, 2);
    const crossJoin = await letters.live(({ db }) =>
      db.selectFrom('crates').crossJoin('stamps').select('stamps.id as id').execute(),
    );
    assert.is(ids(crossJoin), 'sa,sa');
  });

  test('a right join is refused', () =>
    letters.refused(
      ({ db }) =>
        db.selectFrom('crates').rightJoin('stamps', 'stamps.crate_id', 'crates.id').select('stamps.id').execute(),
      /left join/,
    ));

  test('subqueries in a list, in EXISTS, as a value and in FROM read only rows of the handle', async () => {
    const inList = await letters.live(({ db }) =>
      db
        .selectFrom('crates')
        .select('id')
        .where('id', 'in', (eb) => eb.selectFrom('stamps').select('crate_id').where('price', '>', 1))
        .execute(),
    );
    assert.equal(inList, []);
    const existing = await letters.live(({ db }) =>
      db
        .selectFrom('crates as l')
        .select('l.id as id')
        .where((eb) =>
          eb.exists(
            eb.selectFrom('stamps as s').select('s.id').whereRef('s.crate_id', '=', 'l.id').where('s.price', '=', 2),
          ),
        )
        .execute(),
    );
    assert.equal(existing, []);
    const count = await letters.live(({ db }) =>
      db
        .selectFrom('crates')
        .select((eb) =>
          eb
            .selectFrom('stamps')
            .select((inner) => inner.fn.countAll<number>().as('n'))
            .as('stamps'),
        )
        .where('id', '=', 'a1')
        .executeTakeFirstOrThrow(),
    );
    assert.is(Number(count.stamps), 1);
    const fromSubquery = await letters.live(({ db }) =>
      db
        .selectFrom((eb) => eb.selectFrom('stamps').select('id').as('inner_stamps'))
        .select('inner_stamps.id as id')
        .execute(),
    );
    assert.is(ids(fromSubquery), 'sa');
  });

  test('common table expressions, even recursive ones, read only rows of the handle', async () => {
    const rows = await letters.live(({ db }) =>
      db
        .with('found', (inner) => inner.selectFrom('stamps').select('id'))
        .selectFrom('found')
        .select('id')
        .execute(),
    );
    assert.is(ids(rows), 'sa');
    const recursive = await letters.live(({ db }) =>
      db
        .withRecursive('walk(id)', (inner) =>
          inner
            .selectFrom('crates')
            .select('crates.id as id')
            .union(inner.selectFrom('crates').innerJoin('walk', 'walk.id', 'crates.id').select('crates.id as id')),
        )
        .selectFrom('walk')
        .select('id')
        .execute(),
    );
    assert.is(ids(recursive), 'a1,a2');
  });

  test('a common table expression cannot have the name of a table', () =>
    letters.refused(
      ({ db }) =>
        db
          .with('stamps', (inner) => inner.selectFrom('crates').select('id'))
          .selectFrom('stamps')
          .select('id')
          .execute(),
      /name that no table has/,
    ));

  test('every part of a union reads only rows of the handle', async () => {
    const rows = await letters.live(({ db }) =>
      db
        .selectFrom('crates')
        .select('id')
        .where('id', '=', 'a1')
        .unionAll(db.selectFrom('crates').select('id'))
        .unionAll(db.selectFrom('stamps').select('id'))
        .execute(),
    );
    assert.is(ids(rows), 'a1,a1,a2,sa');
  });

  test('raw SQL is a single expression: it cannot name a table, contain a query, or break out of its position', async () => {
    const { prefix } = letters;
    await letters.refused(({ db }) => sql`select id from ${sql.table('crates')}`.execute(db), /unscoped/);
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom('stamps')
          .select(sql<string>`(select max(id) from ${sql.table('crates')})`.as('id'))
          .execute(),
      /Raw SQL/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom(sql<{ id: string }>`${sql.raw(`${prefix}crates`)}`.as('x'))
          .select('x.id')
          .execute(),
      /Raw SQL/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom(sql<{ id: string }>`${sql.id(`${prefix}crates`)}`.as('x'))
          .select('x.id')
          .execute(),
      /Raw SQL/,
    );
    await letters.refused(
      ({ db }) => db.selectFrom('crates').select('id').where(sql<boolean>`1 = 1) or (1 = 1`).execute(),
      /parenthesis/,
    );
    await letters.refused(
      ({ db }) => db.selectFrom('crates').select('id').where(sql<boolean>`1 = 1 -- `).execute(),
      /comment/,
    );
    const rows = await letters.live(({ db }) =>
      db.selectFrom('crates').select('id').where(sql<boolean>`1 = 0 or 1 = 1`).execute(),
    );
    assert.is(ids(rows), 'a1,a2');
  });

  test('no statement bypasses the handle', async () => {
    await letters.refused(({ db }) => db.withoutPlugins().selectFrom('crates').select('id').execute(), /did not pass/);
    await letters.refused(
      ({ db }) => db.withSchema('other').selectFrom('crates').select('id').execute(),
      /without prefix or schema|did not pass/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom('CRATES' as 'crates')
          .select('id')
          .execute(),
      /without prefix or schema/,
    );
    const { prefix } = letters;
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom(`${prefix}crates` as 'crates')
          .select('id')
          .execute(),
      /without prefix or schema/,
    );
    await letters.refused(({ db }) => db.schema.dropTable('crates').execute(), /unscoped/);
    const foreign = await letters.run(oneSide(letters.theirs, false), async ({ db }) =>
      db.selectFrom('crates').selectAll().compile(),
    );
    await letters.refused(({ db }) => db.executeQuery(foreign), /did not pass/);
  });

  test('a statement that is compiled once works for every workspace and side', async () => {
    const byPages = defineStatement((db, p: { pages: number }) =>
      db.selectFrom('crates').select(['id']).where('pages', '=', p.pages).orderBy('id'),
    );
    const results: string[] = [];
    for (const scope of [
      oneSide(letters.mine, false),
      oneSide(letters.mine, true),
      oneSide(letters.theirs, false),
      oneSide(letters.theirs, true),
    ])
      results.push(ids(await letters.run(scope, (handle) => handle.all(byPages, { pages: 1 }))));
    assert.equal(results, ['a1,a2', 's1', 'b1', 'b2']);
  });

  test('a handle reaches the other side, both sides or every workspace only by an explicit call', async () => {
    const names = ({ db }: Pick<WorkspaceHandle, 'db'>) => db.selectFrom('crates').select('id').execute().then(ids);
    assert.is(await letters.live((handle) => names(handle.onSide(true))), 's1');
    assert.is(await letters.live((handle) => names(handle.bothSides('the test compares'))), 'a1,a2,s1');
    assert.is(await letters.live((handle) => names(handle.unscoped('the test compares'))), 'a1,a2,b1,b2,s1');
    assert.throws(() => unscoped(' '), /Give the reason/);
  });
});
