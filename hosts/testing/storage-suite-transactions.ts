// The storage suite's tests of single transactions: commit, rollback, faults, revoked connections, closing.
import { strict as assert } from 'node:assert';
import { isStorageError, type SqlConnection } from '../../core/contract/ports/storage.ts';
import { gate, type SuitePart } from './storage-suite-bench.ts';

/** Registers this part. Called by storage-suite.ts. */
export const transactionsPart: SuitePart = (test, { dialect, shared, capabilities }) => {
  test('returns the result of the work and keeps its writes', async ({ storage, insert, ids }) => {
    const answer = await storage.transact(async (connection) => {
      await connection.query(insert('a'));
      return 'answer';
    });
    assert.equal(answer, 'answer');
    assert.deepEqual(await ids(), ['a']);
  });

  test('sees its own writes inside a transaction', async ({ storage, insert, sql }) => {
    const { rows } = await storage.transact(async (connection) => {
      await connection.query(insert('a', 7));
      return connection.query(sql('select n from suite_items'));
    });
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ n: 7 }],
    );
  });

  if (shared) {
    test('commits before it resolves, so that another connection sees the writes', async ({
      subject,
      storage,
      insert,
      sql,
    }) => {
      const other = await subject.createAdapter().open();
      try {
        await storage.transact((connection) => connection.query(insert('a')));
        const { rows } = await other.read((connection) => connection.query(sql('select id from suite_items')));
        assert.equal(rows.length, 1);
      } finally {
        await other.close();
      }
    });
  }

  test('undoes everything when the work rejects, and passes the same error on', async ({ storage, insert, ids }) => {
    const reason = new Error('no');
    const failing = storage.transact(async (connection) => {
      await connection.query(insert('a'));
      throw reason;
    });
    await assert.rejects(failing, (error) => error === reason);
    assert.deepEqual(await ids(), []);
  });

  test('treats a synchronous throw as a rejection', async ({ storage, ids }) => {
    const failing = storage.transact(() => {
      throw new Error('at once');
    });
    await assert.rejects(failing, /at once/);
    assert.deepEqual(await ids(), []);
  });

  test('commits a transaction that wrote nothing', async ({ storage, sql }) => {
    assert.equal(await storage.transact(async () => 5), 5);
    const { rows } = await storage.transact((connection) => connection.query(sql('select id from suite_items')));
    assert.equal(rows.length, 0);
  });

  test('names the table of a unique violation, for keys and for indexes', async ({ storage, insert, sql, ids }) => {
    await storage.transact((connection) => connection.query(insert('a')));
    const key = storage.transact((connection) => connection.query(insert('a')));
    await assert.rejects(key, (error) => isStorageError(error, 'unique') && error.table === 'suite_items');
    const noted = (id: string) => sql("insert into suite_items (id, n, note) values (?, 0, 'same')", id);
    const index = storage.transact(async (connection) => {
      await connection.query(noted('b'));
      await connection.query(noted('c'));
    });
    await assert.rejects(index, (error) => isStorageError(error, 'unique') && error.table === 'suite_items');
    assert.deepEqual(await ids(), ['a']);
  });

  test('reports an invalid statement as a StorageError, and stays usable', async ({ storage, sql, insert, ids }) => {
    const wrong = storage.transact((connection) => connection.query(sql('select * from suite_nowhere')));
    await assert.rejects(wrong, (error) => isStorageError(error, 'other'));
    const read = storage.read((connection) => connection.query(sql('select * from suite_nowhere')));
    await assert.rejects(read, (error) => isStorageError(error, 'other'));
    await storage.transact((connection) => connection.query(insert('a')));
    assert.deepEqual(await ids(), ['a']);
  });

  if (dialect !== 'mysql') {
    test('rejects when the commit itself fails, and keeps nothing', async ({ storage, sql, insert, ids }) => {
      const orphan = sql("insert into suite_children (id, parent) values ('c', 'missing')");
      const failing = storage.transact(async (connection) => {
        await connection.query(insert('a'));
        await connection.query(orphan);
      });
      await assert.rejects(failing, (error) => isStorageError(error, 'other'));
      assert.deepEqual(await ids(), []);
      await storage.transact((connection) => connection.query(insert('b')));
      assert.deepEqual(await ids(), ['b']);
    });
  }

  test('undoes a savepoint and keeps the rest', async ({ storage, sql, insert, ids }) => {
    await storage.transact(async (connection) => {
      await connection.query(insert('a'));
      await connection.query(sql('savepoint inner_part'));
      await connection.query(insert('b'));
      await connection.query(sql('rollback to savepoint inner_part'));
      await connection.query(sql('release savepoint inner_part'));
      await connection.query(insert('c'));
    });
    assert.deepEqual(await ids(), ['a', 'c']);
  });

  test('refuses BEGIN, COMMIT and ROLLBACK as statements', async ({ storage, sql, insert, ids }) => {
    for (const text of ['begin', ' COMMIT', 'rollback', 'end', 'start transaction']) {
      const failing = storage.transact(async (connection) => {
        await connection.query(insert('a'));
        await connection.query(sql(text));
      });
      await assert.rejects(failing, /refused/);
    }
    assert.deepEqual(await ids(), []);
  });

  test('revokes a connection when its work has ended', async ({ storage, insert, sql, ids }) => {
    const kept: SqlConnection[] = [];
    await storage.transact(async (connection) => kept.push(connection));
    await storage.read(async (connection) => kept.push(connection));
    await assert.rejects(
      storage.transact(async (connection) => {
        kept.push(connection);
        throw new Error('no');
      }),
    );
    for (const connection of kept) {
      const revoked = (error: unknown) => isStorageError(error, 'handle_revoked');
      await assert.rejects(connection.query(sql('select 1 as one')), revoked);
      await assert.rejects(connection.batch([insert('x'), insert('y')]), revoked);
    }
    assert.equal(kept.length, 3);
    assert.deepEqual(await ids(), []);
  });

  test('runs nothing if the signal is already aborted', async ({ storage, insert, ids }) => {
    const reason = new Error('gave up');
    const aborted = storage.transact((connection) => connection.query(insert('a')), {
      signal: AbortSignal.abort(reason),
    });
    await assert.rejects(aborted, (error) => error === reason);
    assert.deepEqual(await ids(), []);
  });

  test('waits for running work when it closes, and refuses later work', async ({ subject, insert, storage, ids }) => {
    const closing = shared ? await subject.createAdapter().open() : storage;
    const started = gate();
    const work = closing.transact(async (connection) => {
      started.open();
      await connection.query(insert('a'));
      return 'done';
    });
    await started.opened;
    const [, answer] = await Promise.all([closing.close(), work]);
    assert.equal(answer, 'done');
    if (shared) assert.deepEqual(await ids(), ['a']);
    const gone = (error: unknown) => isStorageError(error, 'unavailable');
    await assert.rejects(
      closing.transact(async () => undefined),
      gone,
    );
    await assert.rejects(
      closing.read(async () => undefined),
      gone,
    );
    await closing.close();
  });

  test('describes itself in plain values', async ({ storage }) => {
    const described = await storage.describe();
    assert.ok(Object.keys(described).length > 0);
    for (const value of Object.values(described)) assert.ok(['string', 'number'].includes(typeof value));
  });

  if (capabilities.notifies) {
    test('notifies listeners of commits, and not of rollbacks', async ({ storage }) => {
      const payloads: string[] = [];
      const second = gate();
      const stop = await storage.listen?.('suite_channel', (payload) => {
        payloads.push(payload);
        if (payloads.includes('last')) second.open();
      });
      const notify = (payload: string, fail: boolean) =>
        storage.transact(async (connection) => {
          await storage.notify?.(connection, 'suite_channel', payload);
          if (fail) throw new Error('no');
        });
      await notify('first', false);
      await assert.rejects(notify('never', true));
      await notify('last', false);
      if (stop === undefined) return;
      await second.opened;
      await stop();
      assert.deepEqual(payloads, ['first', 'last']);
    });
  }
};
