// The resource kit on every database: rows as handlers see them, the statements of tenantRows, lists, reads and deletions
// full-run: slow
import * as assert from 'uvu/assert';
import type { WorkspaceHandle } from '../../core/contract/context/handle.ts';
import { isStorageError } from '../../core/contract/ports/storage.ts';
import { oneSide } from '../../core/storage/scope.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';
import { card, cardsPlugin, pileRows, rows } from './resources-plugin.ts';

type Work<T> = (handle: WorkspaceHandle) => Promise<T>;

await eachDatabase('the resource kit', (test, database) => {
  let service: TestService<'cards'>;
  const inside = async <T>(work: Work<T>, sandbox = false, workspaceId = service.workspaceId): Promise<T> =>
    (await service.service.core.database()).transact(async (scope) => {
      const result = await work(scope.handle(oneSide(workspaceId, sandbox)));
      await scope.flush();
      return result;
    });
  const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id).join();

  test.before.each(async () => {
    service = await createTestService({
      plugins: [cardsPlugin()],
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
    });
  });
  test.after.each(() => service.close());

  test('a row is read exactly as it was written: JSON, flags, bytes, nulls', async () => {
    const insertedRow = card('c1', {
      suit: 'spades',
      words: ['ä', '"'],
      value: 2 ** 53 - 1,
      hidden: true,
      seal: new Uint8Array([0, 255]),
      shown_at: 5,
    });
    await inside((handle) => rows.insert(handle, insertedRow));
    const foundRow = await inside((handle) => rows.find(handle, 'c1'));
    assert.equal({ ...foundRow, seal: [...(foundRow?.seal ?? [])] }, { ...insertedRow, seal: [0, 255] });
    await inside((handle) => rows.insert(handle, card('c2')));
    assert.equal(await inside((handle) => rows.find(handle, 'c2')), card('c2'));
  });

  test('rows of another workspace or of the other side are not found', async () => {
    await inside((handle) => rows.insert(handle, card('c1')));
    for (const work of [
      (handle: WorkspaceHandle) => rows.find(handle, 'c1'),
      (handle: WorkspaceHandle) => rows.lock(handle, 'c1'),
      (handle: WorkspaceHandle) => rows.findBy(handle, { slug: 'c1' }),
    ]) {
      assert.is(await inside(work, true), undefined);
      assert.is(await inside(work, false, service.foreignWorkspaceId), undefined);
      assert.is((await inside(work))?.id, 'c1');
    }
    assert.is(await inside((handle) => rows.update(handle, 'c1', { value: 1 }), true), false);
    assert.is(await inside((handle) => rows.remove(handle, 'c1'), false, service.foreignWorkspaceId), false);
    assert.equal(await inside((handle) => rows.page(handle, { limit: 9 }), true), []);
    assert.is(await inside((handle) => rows.count(handle, {}, 9), true), 0);
    // Both sides share the rows of a table without sides.
    await inside((handle) => pileRows.insert(handle, { slug: 'first', taken_at: 1 }));
    assert.is((await inside((handle) => pileRows.find(handle, 'first'), true))?.taken_at, 1);
  });

  test('insertUnlessTaken does not change an existing row, and the transaction continues', async () => {
    const answers = await inside(async (handle) => [
      await rows.insertUnlessTaken(handle, card('c1', { slug: 'same' })),
      await rows.insertUnlessTaken(handle, card('c2', { slug: 'same' })),
      await rows.insertUnlessTaken(handle, card('c3')),
    ]);
    assert.equal(answers, [true, false, true]);
    assert.is(await inside((handle) => rows.insertUnlessTaken(handle, card('c4', { slug: 'same' })), true), true);
    assert.is(idsOf(await inside((handle) => rows.page(handle, { limit: 9 }))), 'c3,c1');
    try {
      await inside((handle) => rows.insert(handle, card('c5', { slug: 'same' })));
      assert.unreachable();
    } catch (error) {
      assert.ok(isStorageError(error) && error.fault === 'unique', String(error));
    }
  });

  test('upsert changes the row of this workspace and side, or inserts a row', async () => {
    const putCard: Work<void> = (handle) =>
      rows.upsert(handle, card(handle.sandbox === true ? 's1' : 'c1', { slug: 'same', value: 1 }), ['slug'], {
        value: 7,
        words: ['again'],
        hidden: true,
      });
    await inside(putCard);
    await inside(putCard, true);
    assert.is((await inside((handle) => rows.find(handle, 'c1')))?.value, 1);
    await inside(putCard);
    const [liveRow, sandboxRow] = [
      await inside((handle) => rows.find(handle, 'c1')),
      await inside((handle) => rows.find(handle, 's1'), true),
    ];
    assert.equal([liveRow?.value, liveRow?.words, liveRow?.hidden, sandboxRow?.value], [7, ['again'], true, 1]);
    await inside((handle) =>
      pileRows
        .upsert(handle, { slug: 'first', taken_at: 1 }, ['slug'], { taken_at: 1 })
        .then(() => pileRows.upsert(handle, { slug: 'first', taken_at: 2 }, ['slug'], { taken_at: 2 })),
    );
    assert.is((await inside((handle) => pileRows.find(handle, 'first')))?.taken_at, 2);
  });

  test('deferAdd inserts a row of this workspace or adds to it, on every call', async () => {
    const add: Work<void> = async (handle) => {
      for (const time of [2, 3]) pileRows.deferAdd(handle, { slug: 'first', taken_at: time }, ['slug'], ['taken_at']);
    };
    await inside(add);
    await inside(add, true);
    await inside(add, false, service.foreignWorkspaceId);
    const takenOf = (workspace?: string) =>
      inside((handle) => pileRows.find(handle, 'first'), false, workspace).then((row) => row?.taken_at);
    assert.is(await takenOf(), 10);
    assert.is(await takenOf(service.foreignWorkspaceId), 5);
  });

  test('deferAddAll adds any number of rows, and replaces values with new values that are not null', async () => {
    const add =
      (from: number, value: number | null): Work<void> =>
      async (handle) => {
        const piles = Array.from({ length: 19 }, (_, index) => ({ slug: `s${from + index + 10}`, taken_at: 1 }));
        pileRows.deferAddAll(handle, piles, ['slug'], ['taken_at']);
        rows.deferAddAll(handle, [card('c1', { value })], ['slug'], [], ['value']);
      };
    await inside(add(0, 4));
    await inside(add(9, null));
    const foundPiles = await inside((handle) => pileRows.findIn(handle, 'slug', ['s10', 's18', 's19', 's28', 's37']));
    assert.equal(
      foundPiles.map((row) => row.taken_at),
      [1, 1, 2, 2, 1],
    );
    assert.is((await inside((handle) => rows.find(handle, 'c1')))?.value, 4);
  });

  test('deferUnlessTaken skips existing rows, and hold inserts missing rows', async () => {
    const [first, second] = [1, 2].map((time) => ['a', 'b'].map((slug) => ({ slug, taken_at: time })));
    const pilesOf = () => inside((handle) => pileRows.findIn(handle, 'slug', ['a', 'b', 'c']));
    await inside(async (handle) => pileRows.deferUnlessTaken(handle, first?.slice(1) ?? [], ['slug']));
    await inside(async (handle) => pileRows.deferUnlessTaken(handle, second ?? [], ['slug']));
    assert.equal(await pilesOf(), [
      { slug: 'a', taken_at: 2 },
      { slug: 'b', taken_at: 1 },
    ]);
    await inside((handle) => pileRows.upsertAndLock(handle, [{ slug: 'c', taken_at: 3 }], ['slug']));
    await inside((handle) => pileRows.upsertAndLock(handle, [...(first ?? []), { slug: 'c', taken_at: 4 }], ['slug']));
    assert.equal(
      (await pilesOf()).map((row) => row.taken_at),
      [2, 1, 3],
    );
    assert.equal(await inside((handle) => pileRows.findIn(handle, 'slug', ['a', 'b'], 'update', { taken_at: 1 })), [
      { slug: 'b', taken_at: 1 },
    ]);
  });

  test('update sets the given fields and returns whether the row existed', async () => {
    await inside((handle) => rows.insert(handle, card('c1', { value: 1 })));
    const update = (changes: Parameters<typeof rows.update>[2], conditions?: Parameters<typeof rows.update>[3]) =>
      inside((handle) => rows.update(handle, 'c1', changes, conditions));
    assert.is(await update({ value: null, words: ['x'], hidden: true, slug: undefined }), true);
    assert.equal(await inside((handle) => rows.find(handle, 'c1')), card('c1', { words: ['x'], hidden: true }));
    assert.is(await update({ hidden: true }), true, 'the same values do not count as a change');
    assert.is(await update({ suit: 'spades' }, { suit: 'spades' }), false);
    assert.is(await update({ suit: 'spades' }, { value: null, hidden: true }), true);
    assert.is(await update({}), true, 'an update without fields finds the row');
    assert.is(await update({ value: undefined }, { suit: 'hearts' }), false);
    assert.is(await inside((handle) => rows.update(handle, 'c2', { value: 1 })), false);
  });

  test('remove deletes the row only if it has the given values', async () => {
    await inside((handle) => rows.insert(handle, card('c1')));
    assert.is(await inside((handle) => rows.remove(handle, 'c1', { hidden: true })), false);
    assert.is(await inside((handle) => rows.remove(handle, 'c1', { hidden: false, value: null })), true);
    assert.is(await inside((handle) => rows.remove(handle, 'c1')), false);
  });

  test('with lock, only one transaction at a time can change the row', async () => {
    await inside((handle) => rows.insert(handle, card('c1', { value: 0 })));
    const add = () =>
      inside(async (handle) => {
        const row = await rows.lock(handle, 'c1');
        await rows.update(handle, 'c1', { value: (row?.value ?? 0) + 1 });
      });
    await Promise.all(Array.from({ length: 5 }, add));
    assert.is((await inside((handle) => rows.find(handle, 'c1')))?.value, 5);
  });

  test('deferInsert writes at the end of the transaction', async () => {
    const before = await inside(async (handle) => {
      rows.deferInsert(handle, card('c1', { words: ['late'] }));
      return rows.find(handle, 'c1');
    });
    assert.is(before, undefined);
    assert.equal((await inside((handle) => rows.find(handle, 'c1')))?.words, ['late']);
  });

  test('page, each and count filter by values and conditions, newest first', async () => {
    await inside(async (handle) => {
      for (const n of [1, 2, 3, 4, 5])
        await rows.insert(handle, card(`c${n}`, { created_at: n < 4 ? 1000 : 2000, value: n % 2 === 0 ? null : n }));
    });
    const page = (request: Parameters<typeof rows.page>[1]) => inside((handle) => rows.page(handle, request));
    const first = await page({ limit: 3 });
    assert.is(idsOf(first), 'c5,c4,c3');
    const after = rows.position(first[2] ?? card('none'));
    assert.is(idsOf(await page({ limit: 3, after })), 'c2,c1');
    assert.is(idsOf(await page({ limit: 9, where: { value: null, slug: undefined } })), 'c4,c2');
    const conditions: Parameters<typeof rows.page>[1]['conditions'] = (columns) => [columns('value', '>=', 3)];
    assert.is(idsOf(await page({ limit: 9, conditions })), 'c5,c3');
    assert.is(idsOf(await page({ limit: 9, conditions, after })), '');
    const batches: string[] = [];
    await inside(async (handle) => {
      for await (const batch of rows.each(handle, {}, 2)) batches.push(idsOf(batch));
    });
    assert.equal(batches, ['c5,c4', 'c3,c2', 'c1']);
    assert.is(await inside((handle) => rows.count(handle, { value: null }, 9)), 2);
    assert.is(await inside((handle) => rows.count(handle, {}, 3)), 3);
  });

  test('an unknown column is refused by name', async () => {
    const wrong = { ...card('c1'), colour: 'red' };
    const result = await inside((handle) => rows.insert(handle, wrong)).then(
      () => 'the row was accepted',
      (error: unknown) => String(error),
    );
    assert.match(result, 'The table cards has no column colour.');
  });

  test('a list has pages and filters, and returns rows by their schema', async () => {
    for (const [slug, hidden] of [
      ['a', false],
      ['b', true],
      ['c', false],
    ] as const) {
      const { status } = await service.request('/v1/cards', { body: { slug, hidden, value: slug.charCodeAt(0) - 96 } });
      assert.is(status, 201);
      service.advanceClock(1000);
    }
    await service.request('/v1/cards', { key: service.testKey, body: { slug: 'sandbox' } });
    const words = async (query: string) =>
      (await service.request(`/v1/cards${query}`)).body.data.map((one: { words: string[] }) => one.words[0]).join();
    const first = (await service.request('/v1/cards?limit=2')).body;
    assert.equal(first.data[0], {
      id: first.data[0].id,
      suit: 'hearts',
      words: ['c'],
      hidden: false,
      shownAt: null,
      created_at: '2026-01-01T00:00:02.000Z',
      length: 1,
    });
    assert.is(await words('?limit=2'), 'c,b');
    assert.is(await words(`?limit=2&cursor=${first.next_cursor}`), 'a');
    assert.is((await service.request('/v1/cards?limit=3')).body.next_cursor, null);
    assert.is(await words('?hidden=true'), 'b');
    assert.is(await words('?hidden=false&suit=hearts'), 'c,a');
    assert.is(await words('?suit=spades'), '');
    assert.is(await words('?above=1&hidden=false'), 'c');
    assert.is((await service.request('/v1/cards?cursor=nonsense')).body.error.code, 'cursor_invalid');
    assert.is((await service.request('/v1/cards?suit=clubs')).status, 422);
  });

  test('reading or deleting a missing row gets 404, and a deletion may refuse and is audited once', async () => {
    const { body: created } = await service.request('/v1/cards', { body: { slug: 'a' } });
    const { body: hidden } = await service.request('/v1/cards', { body: { slug: 'b', hidden: true } });
    const path = `/v1/cards/${created.id}`;
    assert.equal((await service.request(path)).body, created);
    const text = await service.service.fetch(
      new Request(`http://localhost${path}`, {
        headers: { accept: 'text/plain', authorization: `Bearer ${service.liveKey}` },
      }),
    );
    assert.equal([text.status, await text.text(), text.headers.has('etag')], [200, 'a', true]);
    for (const method of ['GET', 'DELETE'])
      for (const [one, key] of [
        ['/v1/cards/crd_none', service.liveKey],
        [path, service.testKey],
      ] as const) {
        const { status, body } = await service.request(one, { method, key });
        assert.equal([status, body.error.code], [404, 'card_not_found']);
      }
    const refusal = await service.request(`/v1/cards/${hidden.id}`, { method: 'DELETE' });
    assert.equal([refusal.status, refusal.body.error.code], [409, 'card_hidden']);
    assert.is((await service.request(`/v1/cards/${hidden.id}`)).status, 200);
    assert.equal((await service.request(path, { method: 'DELETE' })).body, { id: created.id, deleted: true });
    assert.is((await service.request(path, { method: 'DELETE' })).status, 404);
    const entries = await inside(({ db }) =>
      db.selectFrom('audit').select('target_id').where('action', '=', 'card.delete').execute(),
    );
    assert.equal(entries, [{ target_id: created.id }]);
  });
});
