// The storage suite's tests of values: round trips, counts, batches, refused parameters.
import { strict as assert } from 'node:assert';
import { isStorageError } from '../../core/contract/ports/storage.ts';
import type { SuitePart } from './storage-suite-bench.ts';

/** Registers this part. Called by storage-suite.ts. */
export const valuesPart: SuitePart = (test) => {
  test('returns every kind of value unchanged', async ({ storage, sql }) => {
    const write = 'insert into suite_items (id, n, note, body) values (?, ?, ?, ?)';
    const large = Buffer.alloc(3_000_000);
    for (let index = 0; index < large.length; index += 1) large[index] = (index * 31) % 256;
    await storage.transact(async (connection) => {
      await connection.query(sql(write, 'a', Number.MAX_SAFE_INTEGER, 'žluťoučký 🐎 "\'\\', large));
      await connection.query(sql(write, 'b', Number.MIN_SAFE_INTEGER, null, null));
      await connection.query(sql(write, 'c', 5n, '', new Uint8Array([0, 255, 92, 120])));
      await connection.query(sql(write, 'd', 1_795_000_000_000, '5.50', new Uint8Array()));
    });
    const { rows } = await storage.read((connection) =>
      connection.query(sql('select id, n, note, body from suite_items order by id')),
    );
    const bodies = rows.map((row) => row['body']);
    assert.ok(Buffer.isBuffer(bodies[0]) && bodies[0].equals(large));
    assert.deepEqual(
      rows.map((row) => [row['n'], row['note']]),
      [
        [Number.MAX_SAFE_INTEGER, 'žluťoučký 🐎 "\'\\'],
        [Number.MIN_SAFE_INTEGER, null],
        [5, ''],
        [1_795_000_000_000, '5.50'],
      ],
    );
    assert.equal(bodies[1], null);
    assert.ok(Buffer.isBuffer(bodies[2]) && bodies[2].equals(Buffer.from([0, 255, 92, 120])));
    assert.ok(Buffer.isBuffer(bodies[3]) && bodies[3].length === 0);
  });

  test('returns sums and counts as numbers', async ({ storage, insert, sql }) => {
    await storage.transact((connection) => connection.batch([insert('a', 40), insert('b', 2)]));
    const { rows } = await storage.read((connection) =>
      connection.query(sql('select sum(n) as total, count(*) as count, max(n) as largest from suite_items')),
    );
    assert.deepEqual({ ...rows[0] }, { total: 42, count: 2, largest: 40 });
  });

  test('counts the rows that a write changed', async ({ storage, insert, sql }) => {
    await storage.transact(async (connection) => {
      assert.equal((await connection.query(insert('a'))).changes, 1);
      assert.equal((await connection.query(insert('b'))).changes, 1);
      assert.equal((await connection.query(sql('update suite_items set n = 9'))).changes, 2);
      assert.equal((await connection.query(sql("update suite_items set n = 9 where id = 'none'"))).changes, 0);
      assert.equal((await connection.query(sql('select id from suite_items'))).changes, 0);
      assert.equal((await connection.query(sql('delete from suite_items'))).changes, 2);
    });
  });

  test('refuses parameters that databases would store differently', async ({ storage, sql, insert, ids }) => {
    for (const value of [true, undefined, Number.NaN, Number.POSITIVE_INFINITY, new Date(0), {}, [], Symbol('s')]) {
      const failing = storage.transact((connection) => connection.query(insert('x', value)));
      await assert.rejects(failing, (error) => isStorageError(error, 'other') && /Parameter 2 of/.test(error.message));
    }
    const read = storage.read((connection) => connection.query(sql('select id from suite_items where id = ?', false)));
    await assert.rejects(read, /boolean as 0 or 1/);
    // The parameter is rejected before anything is sent, so the transaction stays usable.
    await storage.transact(async (connection) => {
      await connection.query(insert('a'));
      await assert.rejects(connection.query(insert('b', undefined)), /undefined/);
      await connection.query(insert('c'));
    });
    assert.deepEqual(await ids(), ['a', 'c']);
  });

  test('does not show parameters in its errors', async ({ storage, sql, insert }) => {
    const secret = 'hunter2-hunter2';
    const note = sql('insert into suite_items (id, n, note) values (?, 0, ?)', 'a', secret);
    await storage.transact((connection) => connection.query(note));
    const failing = storage.transact((connection) => connection.query({ ...note, parameters: ['b', secret] }));
    const error: unknown = await failing.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(isStorageError(error, 'unique'));
    const cause = error.cause instanceof Error ? Object.entries(error.cause) : [];
    assert.ok(!JSON.stringify([error.message, String(error.cause), cause, error.stack]).includes(secret));
    const refused = storage.transact((connection) => connection.query(insert(secret, undefined)));
    await assert.rejects(refused, (reason) => reason instanceof Error && !reason.message.includes(secret));
  });

  test('runs a batch and counts each of its writes in order', async ({ storage, insert, sql, ids }) => {
    await storage.transact((connection) => connection.batch(['a', 'b', 'c'].map((id) => insert(id, 1))));
    const changes = await storage.transact((connection) =>
      connection.batch([
        sql('update suite_items set n = ? where id in (?, ?)', 5, 'a', 'b'),
        sql('insert into suite_items (id, n, note) values (?, ?, ?)', 'd', 7, 'costs $1, "really"'),
        sql('delete from suite_items where id = ?', 'c'),
        sql("insert into suite_items (id, n, note) values (?, ?, 'costs $2, it''s')", 'e', 8),
        sql('delete from suite_items where id = ?', 'missing'),
        sql("insert into suite_parents (id) values ('p')"),
      ]),
    );
    assert.deepEqual(changes, [2, 1, 1, 1, 0, 1]);
    assert.deepEqual(await ids(), ['a', 'b', 'd', 'e']);
    const { rows } = await storage.read((connection) =>
      connection.query(sql('select n, note from suite_items order by id')),
    );
    assert.deepEqual(
      rows.map((row) => [row['n'], row['note']]),
      [
        [5, null],
        [5, null],
        [7, 'costs $1, "really"'],
        [8, "costs $2, it's"],
      ],
    );
  });

  test('counts the writes of a batch whose effect only the database knows', async ({ storage, insert, sql, ids }) => {
    await storage.transact((connection) => connection.batch(['a', 'b', 'c'].map((id) => insert(id, 1))));
    const changes = await storage.transact((connection) =>
      connection.batch([
        sql('insert into suite_items (id, n) values (?, ?), (?, coalesce(?, 0)), (?, (1 + 2))', 'd', 8, 'e', 9, 'f'),
        sql('update suite_items set n = n + 1 where n = ?', 1),
        sql("insert into suite_parents (id) values ('values (x)'), ('on conflict')"),
      ]),
    );
    assert.deepEqual(changes, [3, 3, 2]);
    const copied = await storage.transact((connection) =>
      connection.batch([
        sql("insert into suite_items (id, n) select 'g', 5 where 1 = 2"),
        sql("insert into suite_parents (id) select 'p' where 1 = 1"),
      ]),
    );
    assert.deepEqual(copied, [0, 1]);
    assert.deepEqual(await ids(), ['a', 'b', 'c', 'd', 'e', 'f']);
  });

  test('runs batches of zero, one and very many statements', async ({ storage, insert, ids }) => {
    const changes = await storage.transact(async (connection) => [
      await connection.batch([]),
      await connection.batch([insert('one')]),
      await connection.batch(Array.from({ length: 130 }, (_, index) => insert(`n${index}`, index))),
    ]);
    assert.deepEqual(changes, [[], [1], Array.from({ length: 130 }, () => 1)]);
    assert.equal((await ids()).length, 131);
  });

  test('repeats a batch with other values', async ({ storage, insert, ids }) => {
    for (const round of ['a', 'b', 'c']) {
      const batch = Array.from({ length: 7 }, (_, index) => insert(`${round}${index}`, index));
      assert.equal((await storage.transact((connection) => connection.batch(batch))).length, 7);
    }
    assert.equal((await ids()).length, 21);
  });

  test('stores nothing of a batch that is still running when its work fails', async ({ storage, insert, ids }) => {
    const reason = new Error('gave up');
    const rows = Array.from({ length: 450 }, (_, index) => insert(`n${index}`, index));
    let sending: Promise<unknown> = Promise.resolve();
    const failing = storage.transact(async (connection) => {
      await connection.query(insert('first'));
      sending = connection.batch(rows).catch(() => undefined);
      await Promise.resolve();
      throw reason;
    });
    await assert.rejects(failing, (error) => error === reason);
    await sending;
    assert.deepEqual(await ids(), []);
    await storage.transact((connection) => connection.query(insert('next')));
    assert.deepEqual(await ids(), ['next']);
  });

  test('stores nothing of a batch in which one write fails', async ({ storage, insert, ids }) => {
    await storage.transact((connection) => connection.query(insert('taken')));
    const failing = storage.transact((connection) => connection.batch([insert('a'), insert('taken'), insert('b')]));
    await assert.rejects(failing, (error) => isStorageError(error, 'unique') && error.table === 'suite_items');
    assert.deepEqual(await ids(), ['taken']);
  });
};
