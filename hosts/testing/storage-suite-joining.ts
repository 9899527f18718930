// The storage suite's tests of transactions of the embedding program.
import { strict as assert } from 'node:assert';
import { isStorageError, type ProgramTransaction } from '../../core/contract/ports/storage.ts';
import type { HostTransaction, StorageBench, SuitePart } from './storage-suite-bench.ts';

/** Registers this part. Called by storage-suite.ts. */
export const joiningPart: SuitePart = (test, { hostTransactions }) => {
  test('returns undefined for handles of another kind', async ({ storage }) => {
    for (const handle of [undefined, null, 'trx', 5, {}, [], { query: 'text' }, { prepare: () => undefined }]) {
      assert.equal(storage.join(handle), undefined);
    }
  });

  if (!hostTransactions) return;

  const begin = async ({ subject, storage }: StorageBench): Promise<[HostTransaction, ProgramTransaction]> => {
    const host = await subject.beginHostTransaction?.();
    assert.ok(host !== undefined);
    await storage.yieldWriter?.();
    const joined = storage.join(host.handle);
    assert.ok(joined !== undefined);
    return [host, joined];
  };

  test('writes in the transaction of the program, which commits it', async (bench) => {
    const [host, { connection, identity }] = await begin(bench);
    assert.equal(identity, host.handle);
    await connection.query(bench.insert('a', 12));
    assert.deepEqual(await connection.batch([bench.insert('b'), bench.insert('c')]), [1, 1]);
    const { rows } = await connection.query(bench.sql("select n from suite_items where id = 'a'"));
    assert.equal(rows[0]?.['n'], 12);
    await host.commit();
    assert.deepEqual(await bench.ids(), ['a', 'b', 'c']);
  });

  test('stores nothing if the program rolls back', async (bench) => {
    const [host, { connection }] = await begin(bench);
    await connection.query(bench.insert('a'));
    await host.rollback();
    assert.deepEqual(await bench.ids(), []);
  });

  test('supports savepoints in the transaction of the program, and does not end the transaction', async (bench) => {
    const [host, { connection }] = await begin(bench);
    await connection.query(bench.insert('a'));
    await connection.query(bench.sql('savepoint ours'));
    await connection.query(bench.insert('b'));
    await connection.query(bench.sql('rollback to savepoint ours'));
    await connection.query(bench.sql('release savepoint ours'));
    await assert.rejects(connection.query(bench.sql('commit')), /refused/);
    await host.commit();
    assert.deepEqual(await bench.ids(), ['a']);
  });

  test('survives a statement that failed inside a savepoint', async (bench) => {
    const [host, { connection }] = await begin(bench);
    await connection.query(bench.insert('a'));
    await connection.query(bench.sql('savepoint ours'));
    await assert.rejects(connection.query(bench.insert('a')), (error) => isStorageError(error, 'unique'));
    await connection.query(bench.sql('rollback to savepoint ours'));
    await connection.query(bench.sql('release savepoint ours'));
    await host.commit();
    assert.deepEqual(await bench.ids(), ['a']);
  });

  test('sends statements on one transaction one after another', async (bench) => {
    const [host, { connection }] = await begin(bench);
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((id) => connection.query(bench.insert(id))));
    assert.deepEqual(
      results.map(({ changes }) => changes),
      [1, 1, 1, 1],
    );
    await host.commit();
    assert.deepEqual(await bench.ids(), ['a', 'b', 'c', 'd']);
  });

  test('takes locks for the transaction of the program', async (bench) => {
    const [host, { connection }] = await begin(bench);
    assert.equal(await bench.storage.tryLock(connection, 'name'), true);
    assert.equal(await bench.storage.tryLock(connection, 'name'), true);
    await host.commit();
    assert.equal(await bench.storage.transact((own) => bench.storage.tryLock(own, 'name')), true);
  });

  test('refuses a handle without an open transaction, and says what to do', async (bench) => {
    const [host] = await begin(bench);
    await host.commit();
    // Some drivers detect without a query that no transaction is open; others detect it with the first savepoint.
    const savepoint = async () => bench.storage.join(host.handle)?.connection.query(bench.sql('savepoint ours'));
    await assert.rejects(savepoint(), (error) => isStorageError(error, 'other') && /BEGIN/.test(error.message));
  });
};
