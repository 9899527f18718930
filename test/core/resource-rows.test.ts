// Rows of a declared table within one side of a workspace: they are found by many values, locked, and changed at the end of a
// transaction.
import * as assert from 'uvu/assert';
import { tenantRows } from '../../core/resources/rows.ts';
import { oneSide } from '../../core/storage/scope.ts';
import { eachLetters, ids } from './isolation-letters.ts';
import { crates } from './isolation-plugin.ts';

const rows = tenantRows(crates);

await eachLetters('rows of a table', (test, letters) => {
  test('a look-up by many values finds only rows of the handle, ordered by key', async () => {
    const topics = ['about-b1', 'about-s1', 'about-a2', 'about-a1', 'about-nothing'];
    const foundRows = await letters.live((handle) => rows.findIn(handle, 'topic', topics));
    assert.equal(
      foundRows.map(({ id, pages }) => [id, pages]),
      [
        ['a1', 1],
        ['a2', 1],
      ],
    );
    assert.equal(await letters.live((handle) => rows.findIn(handle, 'id', [])), []);
  });

  test('transactions that lock rows lose no update', async () => {
    const add = () =>
      letters.live(async (handle) => {
        for (const { id, pages } of await rows.findIn(handle, 'id', ['a2', 'a1'], 'update'))
          await rows.update(handle, id, { pages: pages + 1 });
      });
    await Promise.all(Array.from({ length: 6 }, add));
    const foundRows = await letters.live((handle) => rows.findIn(handle, 'id', ['a1', 'a2']));
    assert.equal(
      foundRows.map(({ pages }) => pages),
      [7, 7],
    );
  });

  test('a shared lock allows simultaneous reads of the row', async () => {
    const readShared = () =>
      letters.live(async (handle) => (await rows.findBy(handle, { topic: 'about-a1' }, 'share'))?.id ?? '');
    assert.equal(await Promise.all([readShared(), readShared()]), ['a1', 'a1']);
  });

  test('a deferred change is written with its transaction and only on its side', async () => {
    await letters.live(async (handle) => {
      rows.deferUpdate(handle, 'a1', { pages: 4 });
      rows.deferUpdate(handle, 's1', { pages: 4 });
      assert.is((await rows.find(handle, 'a1'))?.pages, 1);
    });
    assert.equal(
      (await letters.all()).filter(({ pages }) => Number(pages) === 4).map(({ id }) => id),
      ['a1'],
    );
  });

  test("rows of a plugin's own statement are decoded like other rows", async () => {
    const foundRows = await letters.run(oneSide(letters.mine, true), async ({ db }) =>
      (await db.selectFrom('crates').selectAll().execute()).map(rows.decode),
    );
    assert.is(ids(foundRows), 's1');
    assert.equal(Object.keys(foundRows[0] ?? {}).sort(), ['created_at', 'id', 'pages', 'topic', 'updated_at']);
  });
});
