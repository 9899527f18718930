// Every write through a workspace's handle affects only rows of that workspace and of the handle's side, whatever the statement says.
import * as assert from 'uvu/assert';
import { oneSide } from '../../core/storage/scope.ts';
import { at, eachLetters, ids } from './isolation-letters.ts';

await eachLetters('isolation of writes', (test, letters) => {
  test('an update and a delete without a condition change only rows of the handle', async () => {
    await letters.live(({ db }) => db.updateTable('crates').set({ pages: 9 }).execute());
    assert.equal(
      (await letters.all()).map(({ id, pages }) => `${id} ${Number(pages)}`),
      ['a1 9', 'a2 9', 'b1 1', 'b2 1', 's1 1'],
    );
    await letters.live(({ db }) => db.deleteFrom('crates').execute());
    assert.is(ids(await letters.all()), 'b1,b2,s1');
  });

  test('a subquery in an update finds no foreign rows', async () => {
    await letters.live(({ db }) =>
      db
        .updateTable('crates')
        .set({ pages: 5 })
        .where('id', 'in', (eb) => eb.selectFrom('stamps').select('crate_id').where('price', '>=', 2))
        .execute(),
    );
    assert.ok((await letters.all()).every(({ pages }) => Number(pages) === 1));
  });

  test('an update cannot move a row to another workspace or to the other side', async () => {
    await letters.refused(
      ({ db }) =>
        db
          .updateTable('crates')
          .set({ workspace_id: letters.theirs } as never)
          .execute(),
      /belongs to the handle/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .updateTable('crates')
          .set({ sandbox: 1 } as never)
          .execute(),
      /belongs to the handle/,
    );
  });

  const letter = { id: 'n1', topic: 'new', pages: 1, created_at: at, updated_at: at };

  test('an insert stores the workspace and the side of the handle', async () => {
    await letters.live(({ db }) => db.insertInto('crates').values(letter).execute());
    await letters.run(oneSide(letters.mine, true), ({ db }) =>
      db
        .insertInto('crates')
        .values({ ...letter, id: 'n2', topic: 'other' })
        .execute(),
    );
    const insertedRows = (await letters.all()).filter(({ id }) => id.startsWith('n'));
    assert.equal(
      insertedRows.map(({ id, workspace_id, sandbox }) => `${id} ${workspace_id === letters.mine} ${Number(sandbox)}`),
      ['n1 true 0', 'n2 true 1'],
    );
  });

  test('an insert from a select stores the workspace and the side of the handle', async () => {
    await letters.live(({ db }) =>
      db
        .insertInto('stamps')
        .columns(['id', 'crate_id', 'price'])
        .expression(
          db
            .selectFrom('crates')
            .select((eb) => [eb.val('n1').as('id'), 'crates.id as crate_id', eb.lit(4).as('price')])
            .where('id', '=', 'a2'),
        )
        .execute(),
    );
    const insertedRows = await letters.live(({ db }) =>
      db.selectFrom('stamps').select(['id', 'crate_id']).where('price', '=', 4).execute(),
    );
    assert.equal(insertedRows, [{ id: 'n1', crate_id: 'a2' }]);
  });

  test('an insert for another workspace or side is refused', async () => {
    await letters.refused(
      ({ db }) =>
        db
          .insertInto('crates')
          .values({ ...letter, workspace_id: letters.theirs })
          .execute(),
      /belongs to the handle/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .insertInto('crates')
          .values({ ...letter, sandbox: 1 })
          .execute(),
      /belongs to the handle/,
    );
    await letters.refused(
      ({ db }) =>
        db
          .insertInto('crates')
          .values([
            { ...letter, workspace_id: letters.mine },
            { ...letter, id: 'n2', topic: 'z', workspace_id: letters.theirs },
          ])
          .execute(),
      /belongs to the handle/,
    );
    await letters.refused(({ db }) => db.replaceInto('crates').values(letter).execute(), /REPLACE/);
  });

  test('an upsert that conflicts with a foreign row does not change that row', async () => {
    await letters.live(({ db }) =>
      db
        .insertInto('crates')
        .values({ ...letter, topic: 'about-b1' })
        .onConflict((conflict) => conflict.column('topic').doUpdateSet({ pages: 7 }))
        .execute(),
    );
    assert.is(Number((await letters.all()).find(({ id }) => id === 'b1')?.pages), 1);
    await letters.live(({ db }) =>
      db
        .insertInto('crates')
        .values({ ...letter, topic: 'about-a1' })
        .onConflict((conflict) => conflict.column('topic').doUpdateSet({ pages: 7 }))
        .execute(),
    );
    assert.is(Number((await letters.all()).find(({ id }) => id === 'a1')?.pages), 7, 'its own row is updated');
  });
});
