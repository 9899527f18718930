// What is built through a workspace's handle reaches that workspace's rows and no others, however the statement is written;
// on a table with sides, those of the handle's side.
import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import type { WorkspaceHandle } from '../../core/contract/handle.ts';
import { defineStatement } from '../../core/contract/handle.ts';
import type { HandleScope } from '../../core/storage/scope.ts';
import { oneSide, unscoped } from '../../core/storage/scope.ts';
import type { TestService } from '../../core/testing/test-service.ts';
import { createTestService } from '../../core/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';
import { isolationPlugin } from './isolation-plugin.ts';

const at = 1_700_000_000_000;

await eachDatabase('isolation', (test, database) => {
  let own: TestService<'letters'>;
  let mine: string;
  let theirs: string;

  const run = async <T>(scope: HandleScope, work: (handle: WorkspaceHandle) => Promise<T>): Promise<T> => {
    const opened = await own.service.core.database();
    return opened.transact(async (transaction) => {
      const result = await work(transaction.handle(scope));
      await transaction.flush();
      return result;
    });
  };
  const live = <T>(work: (handle: WorkspaceHandle) => Promise<T>) => run(oneSide(mine, false), work);
  const all = () =>
    run(unscoped('the test looks at every row'), ({ db }) =>
      db.selectFrom('letters').select(['id', 'workspace_id', 'sandbox', 'pages']).orderBy('id').execute(),
    );
  const refused = async (work: (handle: WorkspaceHandle) => Promise<unknown>, reason: RegExp) => {
    const before = await all();
    let message = 'it was not refused';
    await live(work).catch((error: unknown) => {
      message = String(error);
    });
    assert.match(message, reason);
    assert.equal(await all(), before, 'a refused statement changed rows');
  };

  test.before(async () => {
    own = await createTestService({
      plugins: [isolationPlugin()],
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
    });
    mine = own.workspaceId;
    theirs = own.foreignWorkspaceId;
  });
  test.after(() => own.close());

  test.before.each(() =>
    run(unscoped('the test begins with known rows'), async ({ db }) => {
      await db.deleteFrom('letters').execute();
      await db.deleteFrom('stamps').execute();
      const row = (id: string, workspace_id: string, sandbox: number) => ({
        id,
        workspace_id,
        sandbox,
        topic: `about-${id}`,
        pages: 1,
        created_at: at,
        updated_at: at,
      });
      await db
        .insertInto('letters')
        .values([row('a1', mine, 0), row('a2', mine, 0), row('s1', mine, 1), row('b1', theirs, 0), row('b2', theirs, 1)])
        .execute();
      await db
        .insertInto('stamps')
        .values([
          { id: 'sa', workspace_id: mine, letter_id: 'a1', price: 1 },
          { id: 'sb', workspace_id: theirs, letter_id: 'a1', price: 2 },
          { id: 'sc', workspace_id: theirs, letter_id: 'b1', price: 3 },
        ])
        .execute();
    }),
  );

  const ids = (rows: readonly { readonly id: string }[]): string => rows.map(({ id }) => id).sort().join();

  test('a select without any condition', async () => {
    assert.is(ids(await live(({ db }) => db.selectFrom('letters').select('id').execute())), 'a1,a2');
  });

  test('a select that shows workspace_id and asks for a foreign id', async () => {
    const rows = await live(({ db }) =>
      db.selectFrom('letters').select(['id', 'workspace_id']).where('id', '=', 'b1').execute(),
    );
    assert.equal(rows, []);
  });

  test('workspace_id <> ?', async () => {
    const rows = await live(({ db }) => db.selectFrom('letters').select('id').where('workspace_id', '!=', 'ws_x').execute());
    assert.is(ids(rows), 'a1,a2');
    assert.equal(await live(({ db }) => db.selectFrom('letters').select('id').where('workspace_id', '=', theirs).execute()), []);
  });

  test('an OR beside the workspace, with and without it', async () => {
    const rows = await live(({ db, workspaceId }) =>
      db
        .selectFrom('letters')
        .select('id')
        .where((eb) => eb.or([eb('workspace_id', '=', workspaceId), eb('id', '=', 'b1')]))
        .execute(),
    );
    assert.is(ids(rows), 'a1,a2');
  });

  test('a join that is bound on one side only', async () => {
    const prices = await live(({ db, workspaceId }) =>
      db
        .selectFrom('letters')
        .innerJoin('stamps', 'stamps.letter_id', 'letters.id')
        .select('stamps.price as price')
        .where('letters.workspace_id', '=', workspaceId)
        .execute(),
    );
    assert.equal(prices.map(({ price }) => Number(price)), [1]);
  });

  test('a left join keeps the rows without a partner, and joins no foreign one', async () => {
    const rows = await live(({ db }) =>
      db
        .selectFrom('letters as l')
        .leftJoin('stamps as s', 's.letter_id', 'l.id')
        .select(['l.id as id', 's.id as stamp'])
        .orderBy('l.id')
        .execute(),
    );
    assert.equal(rows, [
      { id: 'a1', stamp: 'sa' },
      { id: 'a2', stamp: null },
    ]);
  });

  test('two tables in FROM, and a cross join', async () => {
    const pairs = await live(({ db }) =>
      db.selectFrom(['letters', 'stamps']).select(['letters.id as id', 'stamps.id as stamp']).execute(),
    );
    assert.is(pairs.length, 2);
    const crossed = await live(({ db }) => db.selectFrom('letters').crossJoin('stamps').select('stamps.id as id').execute());
    assert.is(ids(crossed), 'sa,sa');
  });

  test('a join that keeps rows of the right side is refused', () =>
    refused(
      ({ db }) => db.selectFrom('letters').rightJoin('stamps', 'stamps.letter_id', 'letters.id').select('stamps.id').execute(),
      /left join/,
    ));

  test('subqueries: in a list, as EXISTS, as a value, in FROM', async () => {
    const listed = await live(({ db }) =>
      db
        .selectFrom('letters')
        .select('id')
        .where('id', 'in', (eb) => eb.selectFrom('stamps').select('letter_id').where('price', '>', 1))
        .execute(),
    );
    assert.equal(listed, []);
    const existing = await live(({ db }) =>
      db
        .selectFrom('letters as l')
        .select('l.id as id')
        .where((eb) => eb.exists(eb.selectFrom('stamps as s').select('s.id').whereRef('s.letter_id', '=', 'l.id').where('s.price', '=', 2)))
        .execute(),
    );
    assert.equal(existing, []);
    const counted = await live(({ db }) =>
      db
        .selectFrom('letters')
        .select((eb) => eb.selectFrom('stamps').select((inner) => inner.fn.countAll<number>().as('n')).as('stamps'))
        .where('id', '=', 'a1')
        .executeTakeFirstOrThrow(),
    );
    assert.is(Number(counted.stamps), 1);
    const derived = await live(({ db }) =>
      db.selectFrom((eb) => eb.selectFrom('stamps').select('id').as('inner_stamps')).select('inner_stamps.id as id').execute(),
    );
    assert.is(ids(derived), 'sa');
  });

  test('common table expressions, recursive ones too', async () => {
    const rows = await live(({ db }) =>
      db
        .with('found', (inner) => inner.selectFrom('stamps').select('id'))
        .selectFrom('found')
        .select('id')
        .execute(),
    );
    assert.is(ids(rows), 'sa');
    const walked = await live(({ db }) =>
      db
        .withRecursive('walk(id)', (inner) =>
          inner
            .selectFrom('letters')
            .select('letters.id as id')
            .union(inner.selectFrom('letters').innerJoin('walk', 'walk.id', 'letters.id').select('letters.id as id')),
        )
        .selectFrom('walk')
        .select('id')
        .execute(),
    );
    assert.is(ids(walked), 'a1,a2');
  });

  test('a common table expression cannot take the name of a table', () =>
    refused(
      ({ db }) =>
        db
          .with('stamps', (inner) => inner.selectFrom('letters').select('id'))
          .selectFrom('stamps')
          .select('id')
          .execute(),
      /name that no table has/,
    ));

  test('every part of a union', async () => {
    const rows = await live(({ db }) =>
      db
        .selectFrom('letters')
        .select('id')
        .where('id', '=', 'a1')
        .unionAll(db.selectFrom('letters').select('id'))
        .unionAll(db.selectFrom('stamps').select('id'))
        .execute(),
    );
    assert.is(ids(rows), 'a1,a1,a2,sa');
  });

  test('an update and a delete without any condition', async () => {
    await live(({ db }) => db.updateTable('letters').set({ pages: 9 }).execute());
    assert.equal(
      (await all()).map(({ id, pages }) => `${id} ${Number(pages)}`),
      ['a1 9', 'a2 9', 'b1 1', 'b2 1', 's1 1'],
    );
    await live(({ db }) => db.deleteFrom('letters').execute());
    assert.is(ids(await all()), 'b1,b2,s1');
  });

  test('an update that asks a subquery', async () => {
    await live(({ db }) =>
      db
        .updateTable('letters')
        .set({ pages: 5 })
        .where('id', 'in', (eb) => eb.selectFrom('stamps').select('letter_id').where('price', '>=', 2))
        .execute(),
    );
    assert.ok((await all()).every(({ pages }) => Number(pages) === 1));
  });

  test('a row moves neither to another workspace nor to the other side', async () => {
    await refused(({ db }) => db.updateTable('letters').set({ workspace_id: theirs } as never).execute(), /belongs to the handle/);
    await refused(({ db }) => db.updateTable('letters').set({ sandbox: 1 } as never).execute(), /belongs to the handle/);
  });

  const letter = { id: 'n1', topic: 'new', pages: 1, created_at: at, updated_at: at };

  test('an insert gets the workspace and the side of the handle', async () => {
    await live(({ db }) => db.insertInto('letters').values(letter).execute());
    await run(oneSide(mine, true), ({ db }) => db.insertInto('letters').values({ ...letter, id: 'n2', topic: 'other' }).execute());
    const made = (await all()).filter(({ id }) => id.startsWith('n'));
    assert.equal(
      made.map(({ id, workspace_id, sandbox }) => `${id} ${workspace_id === mine} ${Number(sandbox)}`),
      ['n1 true 0', 'n2 true 1'],
    );
  });

  test('an insert of a select gets them, too', async () => {
    await live(({ db }) =>
      db
        .insertInto('stamps')
        .columns(['id', 'letter_id', 'price'])
        .expression(db.selectFrom('letters').select((eb) => [eb.val('n1').as('id'), 'letters.id as letter_id', eb.lit(4).as('price')]).where('id', '=', 'a2'))
        .execute(),
    );
    const made = await live(({ db }) => db.selectFrom('stamps').select(['id', 'letter_id']).where('price', '=', 4).execute());
    assert.equal(made, [{ id: 'n1', letter_id: 'a2' }]);
  });

  test('an insert for another workspace or side is refused', async () => {
    await refused(({ db }) => db.insertInto('letters').values({ ...letter, workspace_id: theirs }).execute(), /belongs to the handle/);
    await refused(({ db }) => db.insertInto('letters').values({ ...letter, sandbox: 1 }).execute(), /belongs to the handle/);
    await refused(
      ({ db }) => db.insertInto('letters').values([{ ...letter, workspace_id: mine }, { ...letter, id: 'n2', topic: 'z', workspace_id: theirs }]).execute(),
      /belongs to the handle/,
    );
    await refused(({ db }) => db.replaceInto('letters').values(letter).execute(), /REPLACE/);
  });

  test('an upsert that meets a foreign row leaves it as it is', async () => {
    await live(({ db }) =>
      db
        .insertInto('letters')
        .values({ ...letter, topic: 'about-b1' })
        .onConflict((conflict) => conflict.column('topic').doUpdateSet({ pages: 7 }))
        .execute(),
    );
    assert.is(Number((await all()).find(({ id }) => id === 'b1')?.pages), 1);
    await live(({ db }) =>
      db
        .insertInto('letters')
        .values({ ...letter, topic: 'about-a1' })
        .onConflict((conflict) => conflict.column('topic').doUpdateSet({ pages: 7 }))
        .execute(),
    );
    assert.is(Number((await all()).find(({ id }) => id === 'a1')?.pages), 7, 'its own row is updated');
  });

  test('raw SQL is an expression: it names no table, holds no query, and stays in its place', async () => {
    const prefix = (await own.service.core.database()).prefix;
    await refused(({ db }) => sql`select id from ${sql.table('letters')}`.execute(db), /unscoped/);
    await refused(({ db }) => db.selectFrom('stamps').select(sql<string>`(select max(id) from ${sql.table('letters')})`.as('id')).execute(), /Raw SQL/);
    await refused(({ db }) => db.selectFrom(sql<{ id: string }>`${sql.raw(`${prefix}letters`)}`.as('x')).select('x.id').execute(), /Raw SQL/);
    await refused(({ db }) => db.selectFrom(sql<{ id: string }>`${sql.id(`${prefix}letters`)}`.as('x')).select('x.id').execute(), /Raw SQL/);
    await refused(({ db }) => db.selectFrom('letters').select('id').where(sql<boolean>`1 = 1) or (1 = 1`).execute(), /parenthesis/);
    await refused(({ db }) => db.selectFrom('letters').select('id').where(sql<boolean>`1 = 1 -- `).execute(), /comment/);
    const rows = await live(({ db }) => db.selectFrom('letters').select('id').where(sql<boolean>`1 = 0 or 1 = 1`).execute());
    assert.is(ids(rows), 'a1,a2');
  });

  test('no statement passes the handle by', async () => {
    await refused(({ db }) => db.withoutPlugins().selectFrom('letters').select('id').execute(), /did not pass/);
    await refused(({ db }) => db.withSchema('other').selectFrom('letters').select('id').execute(), /without prefix or schema|did not pass/);
    await refused(({ db }) => db.selectFrom('LETTERS' as 'letters').select('id').execute(), /without prefix or schema/);
    const { prefix } = await own.service.core.database();
    await refused(({ db }) => db.selectFrom(`${prefix}letters` as 'letters').select('id').execute(), /without prefix or schema/);
    await refused(({ db }) => db.schema.dropTable('letters').execute(), /unscoped/);
    const foreign = await run(oneSide(theirs, false), async ({ db }) => db.selectFrom('letters').selectAll().compile());
    await refused(({ db }) => db.executeQuery(foreign), /did not pass/);
  });

  test('a statement that is compiled once serves every workspace and side', async () => {
    const byPages = defineStatement((db, p: { pages: number }) =>
      db.selectFrom('letters').select(['id']).where('pages', '=', p.pages).orderBy('id'),
    );
    const seen: string[] = [];
    for (const scope of [oneSide(mine, false), oneSide(mine, true), oneSide(theirs, false), oneSide(theirs, true)])
      seen.push(ids(await run(scope, (handle) => handle.all(byPages, { pages: 1 }))));
    assert.equal(seen, ['a1,a2', 's1', 'b1', 'b2']);
  });

  test('a handle reaches the other side, both, or every workspace, where the code says so', async () => {
    const names = ({ db }: Pick<WorkspaceHandle, 'db'>) => db.selectFrom('letters').select('id').execute().then(ids);
    assert.is(await live((handle) => names(handle.onSide(true))), 's1');
    assert.is(await live((handle) => names(handle.bothSides('the test compares'))), 'a1,a2,s1');
    assert.is(await live((handle) => names(handle.unscoped('the test compares'))), 'a1,a2,b1,b2,s1');
    assert.throws(() => unscoped(' '), /Say why/);
  });
});
