// Raw SQL in a statement of one workspace stays a single expression: each test tries a text that would break out of the expression, and
// checks that no foreign row is read or changed.
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import * as assert from 'uvu/assert';
import type { WorkspaceHandle } from '../../core/contract/context/handle.ts';
import { at, eachLetters, ids } from './isolation-letters.ts';

await eachLetters('isolation of raw SQL', (test, letters, database) => {
  const text = (raw: string): RawBuilder<never> => sql.raw(raw) as RawBuilder<never>;
  const crates = ({ db }: WorkspaceHandle) => db.selectFrom('crates').select('id');
  const readIds = async (query: (handle: WorkspaceHandle) => { execute(): Promise<{ readonly id: string }[]> }) =>
    ids(await letters.live((handle) => query(handle).execute()));
  /** Asserts that the condition is refused. */
  const expectRefusal = async (condition: string, reason: RegExp) => {
    await letters.refused((handle) => crates(handle).where(text(condition)).execute(), reason);
    await letters.refused((handle) => crates(handle).where('pages', '=', text(condition)).execute(), reason);
    await letters.refused((handle) => crates(handle).orderBy(text(condition)).execute(), reason);
  };

  test('an OR in raw SQL stays inside an operand, an operator, BETWEEN, NOT and CASE', async () => {
    const or = text('2 or 1 = 1');
    assert.is(await readIds((handle) => crates(handle).where('pages', '=', or)), 'a1,a2');
    assert.is(await readIds((handle) => crates(handle).where('pages', text('= 1 or 1 ='), 1)), 'a1,a2');
    assert.is(await readIds((handle) => crates(handle).where((eb) => eb.between('pages', 5, or))), 'a1,a2');
    assert.is(await readIds((handle) => crates(handle).where((eb) => eb.not(text('1 = 1 or 1 = 1')))), 'a1,a2');
    const caseCondition = (handle: WorkspaceHandle) =>
      crates(handle).where((eb) =>
        eb(eb.case().when(text('1 = 1 then 1 else 1 end = 1 or case when 1 = 1')).then(1).else(1).end(), '=', 1),
      );
    assert.is(await readIds(caseCondition), 'a1,a2');
  });

  test('an OR in raw SQL next to an explicit workspace condition reads no foreign row', async () => {
    const ownSide = (handle: WorkspaceHandle) =>
      crates(handle).where('workspace_id', '=', letters.mine).where('sandbox', '=', 0);
    assert.is(await readIds((handle) => ownSide(handle).where(sql<boolean>`1 = 0 or 1 = 1`)), 'a1,a2');
    assert.is(await readIds((handle) => ownSide(handle).where('pages', '=', text('2 or 1 = 1'))), 'a1,a2');
  });

  test('an OR in raw SQL in a join condition reads no foreign row', async () => {
    assert.is(
      await readIds(({ db }) =>
        db
          .selectFrom('crates')
          .innerJoin('stamps', (join) => join.on('stamps.price', '>', text('0 or 1 = 1')))
          .select('stamps.id as id'),
      ),
      'sa,sa',
    );
    assert.is(
      await readIds(({ db }) =>
        db
          .selectFrom('crates')
          .innerJoin('stamps', (join) =>
            join.on('stamps.workspace_id', '=', letters.mine).on(sql<boolean>`1 = 0 or 1 = 1`),
          )
          .select('stamps.id as id'),
      ),
      'sa,sa',
    );
  });

  test('an OR in the condition of an upsert changes no foreign row', async () => {
    if (database.name === 'mariadb') return;
    const upsert = (own: boolean) =>
      letters.live(({ db }) =>
        db
          .insertInto('crates')
          .values({ id: 'n1', topic: 'about-b1', pages: 1, created_at: at, updated_at: at })
          .onConflict((conflict) => {
            const upsertOfPages = conflict.column('topic').doUpdateSet({ pages: 7 });
            return own
              ? upsertOfPages.where('crates.workspace_id', '=', letters.mine).where(sql<boolean>`1 = 0 or 1 = 1`)
              : upsertOfPages.where('crates.pages', '>', text('0 or 1 = 1'));
          })
          .execute(),
      );
    for (const ownTopics of [true, false]) {
      await upsert(ownTopics);
      assert.is(Number((await letters.all()).find(({ id }) => id === 'b1')?.pages), 1);
    }
  });

  test('a text that is built from several raw pieces is refused', async () => {
    const [begin, end] = [letters.prefix.slice(0, 1), letters.prefix.slice(1)];
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom('crates')
          .select(sql<string>`(sel${text('ect')} max(id) fr${text('om')} x)`.as('id'))
          .execute(),
      /holds a query/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom(sql<{ id: string }>`${text(begin)}${text(`${end}crates`)}`.as('x'))
          .select('x.id')
          .execute(),
      /names a table/,
    );
    await letters.refused(
      (handle) =>
        crates(handle)
          .where(sql<boolean>`'${text("' = '' or (1 = 1) or '' = '")}' and ''${text(" = '')")} or (${text("'' = '")}'`)
          .execute(),
      /parenthesis/,
    );
    await letters.refused(
      (handle) =>
        crates(handle)
          .where(sql<boolean>`'${sql.id("' or '' = '")}' = ''`)
          .execute(),
      /in quotes/,
    );
  });

  test('quotes and comments that databases parse differently are refused', async () => {
    await expectRefusal("$$'$$ = 'a' or ($$'$$ <> 'a')", /Raw SQL in a statement/);
    await expectRefusal("E'\\'' = 'x') or ('' <> E'\\''", /Raw SQL in a statement/);
    await expectRefusal("'\\'' = 'x') or ('' <> '\\''", /Raw SQL in a statement/);
    await expectRefusal("1 = 0 /*!'*/) or (1 = 1 /*!'*/", /Raw SQL in a statement/);
    await expectRefusal("1 = 0 /*!99999 '*/) or (1 = 1 /*!99999 '*/", /Raw SQL in a statement/);
    await expectRefusal("U&'d\\0061t' = ''", /Raw SQL in a statement/);
    await expectRefusal("U&'d!0061t' uescape '!' = ''", /Raw SQL in a statement/);
    await expectRefusal('1 = 1 \0', /Raw SQL in a statement/);
    if (database.name !== 'postgres') await expectRefusal("['] = '') or (['] <> ''", /Raw SQL in a statement/);
    // A placeholder in the raw text would shift the parameters of the handle.
    await expectRefusal(
      { sqlite: '?3 is null', postgres: '$3 is null', mariadb: '? is null' }[database.name],
      /Raw SQL/,
    );
    if (database.name === 'mariadb') await expectRefusal('(@a := id) = id', /Raw SQL in a statement/);
    await letters.refused(
      (handle) => crates(handle).where('id', '=', sql.lit("\\' or 1 = 1 or '")).execute(),
      /as a parameter/,
    );
  });

  test('a fragment that begins another clause is refused', async () => {
    await expectRefusal('1 where 1 = 1', /another clause/);
    await expectRefusal('1 from x', /another clause/);
    await expectRefusal('id join x', /query/);
    await expectRefusal("id into outfile 'x'", /query/);
    await letters.refused(
      ({ db }) =>
        db
          .updateTable('crates')
          .set({ pages: sql<number>`2, workspace_id = ${letters.theirs}` })
          .execute(),
      /more than one expression/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .updateTable('crates')
          .set((eb) => ({ pages: eb('pages', '+', sql<number>`2, workspace_id = ${letters.theirs}`) }))
          .execute(),
      /more than one expression/,
    );
  });

  test('raw SQL may still contain functions, references, parameters, LIKE and OR', async () => {
    const validCondition = (handle: WorkspaceHandle) =>
      crates(handle)
        .where(sql<boolean>`coalesce(${sql.ref('topic')}, ${'x'}) in (${sql.join(['about-a1', 'about-b1'])})`)
        .where(sql<boolean>`topic like ${'about!-%'} escape '!' and pages = 1 or pages = 2`);
    assert.is(await readIds(validCondition), 'a1');
    const [row] = await letters.live(({ db }) =>
      db
        .selectFrom('crates')
        .select(sql<string>`max(${sql.ref('id')})`.as('last'))
        .execute(),
    );
    assert.is(row?.last, 'a2');
  });

  test('raw modifiers are refused: after a condition, in a write, and as a conflict clause', async () => {
    const or = text('or 1 = 1');
    await letters.refused((handle) => crates(handle).modifyEnd(or).execute(), /no modifier/);
    await letters.refused((handle) => crates(handle).modifyEnd(text("into outfile '/x'")).execute(), /no modifier/);
    await letters.refused(
      ({ db }) => db.updateTable('crates').set({ pages: 9 }).modifyEnd(or).execute(),
      /no modifier/,
    );
    await letters.refused(({ db }) => db.deleteFrom('crates').modifyEnd(or).execute(), /no modifier/);
    const conflict = database.name === 'mariadb' ? 'on duplicate key update' : 'on conflict (id) do update set';
    await letters.refused(
      ({ db }) =>
        db
          .insertInto('stamps')
          .values({ id: 'sb', crate_id: 'x', price: 9 })
          .modifyEnd(text(`${conflict} price = 9`))
          .execute(),
      /no modifier/,
    );
  });

  test('function names that contain SQL, and functions that run a text, are refused', async () => {
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom('crates')
          .select((eb) => eb.fn<string>(`coalesce((select max(id) from x), '') || lower`, ['id']).as('id'))
          .execute(),
      /not the name of a function/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom('crates')
          .select((eb) => eb.fn.agg<string>(`coalesce((select max(id) from x), '') || max`, ['id']).as('id'))
          .execute(),
      /not the name of a function/,
    );
    for (const name of [
      'query_to_xml',
      'dblink',
      'ts_stat',
      'set_config',
      'load_file',
      'pg_read_file',
      'load_extension',
    ])
      for (const call of [
        sql<string>`${text(name)}(${'a text'})`,
        sql<string>`${sql.id(name)}(${'a text'})`,
        sql<string>`"${text(name)}"(${'a text'})`,
      ])
        await letters.refused(
          ({ db }) => db.selectFrom('crates').select(call.as('id')).execute(),
          /function that can read rows/,
        );
    await letters.refused(
      ({ db }) =>
        db
          .selectFrom('crates')
          .select((eb) => eb.fn<string>('query_to_xml', [eb.val('a text')]).as('id'))
          .execute(),
      /can read rows of other workspaces/,
    );
  });

  test('a foreign or changed compiled statement is refused', async () => {
    await letters.refused(({ db }) => db.executeQuery(CompiledQuery.raw('select 1')), /did not pass/);
    await letters.refused(
      ({ db }) =>
        db.executeQuery({
          ...db.selectFrom('crates').select('id').compile(),
          sql: `select id from ${letters.prefix}crates`,
          parameters: [],
        }),
      /did not pass/,
    );
    await letters.refused(async ({ db }) => {
      const compiledQuery = db.selectFrom('crates').select('id').compile();
      (compiledQuery.parameters as unknown[])[0] = letters.theirs;
      await db.executeQuery(compiledQuery);
    }, /read only/);
    await letters.refused(
      ({ db }) =>
        db
          .withPlugin({
            transformQuery: ({ node }) => ({ ...node, where: undefined }) as never,
            transformResult: async ({ result }) => result,
          })
          .selectFrom('crates')
          .select('id')
          .execute(),
      /did not pass/,
    );
  });
});
