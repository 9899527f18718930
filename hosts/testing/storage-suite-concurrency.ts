// The storage suite's tests of concurrent callers: isolation, waiting, locks.
import { strict as assert } from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import { isStorageError } from '../../core/contract/ports/storage.ts';
import { gate, type RegisterBenchTest, type StorageBench, type SuitePart } from './storage-suite-bench.ts';
import { sharedCommitsPart } from './storage-suite-shared-commits.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Registers this part. Called by storage-suite.ts. */
export const concurrencyPart: SuitePart = (test, offers) => {
  test('does not lose any of many concurrent increments', async ({ storage, insert, sql }) => {
    await storage.transact((connection) => connection.query(insert('counter')));
    const increment = sql("update suite_items set n = n + 1 where id = 'counter'");
    await Promise.all(range(150).map(() => storage.transact((connection) => connection.query(increment))));
    const { rows } = await storage.read((connection) => connection.query(sql('select n from suite_items')));
    assert.equal(rows[0]?.['n'], 150);
  });

  test('a failing transaction does not affect the others', async ({ storage, insert, sql, ids }) => {
    await storage.transact((connection) => connection.query(insert('taken')));
    const outcomes = await Promise.allSettled(
      range(12).map((index) =>
        storage.transact(async (connection) => {
          await connection.query(insert(`m${String(index).padStart(2, '0')}`));
          if (index % 3 === 1) throw new Error('own fault');
          if (index % 3 === 2) await connection.query(insert('taken'));
        }),
      ),
    );
    const states = outcomes.map(({ status }) => status);
    assert.deepEqual(
      states,
      range(12).map((index) => (index % 3 === 0 ? 'fulfilled' : 'rejected')),
    );
    assert.deepEqual(await ids(), ['m00', 'm03', 'm06', 'm09', 'taken']);
    const { rows } = await storage.read((connection) =>
      connection.query(sql('select count(*) as count from suite_items')),
    );
    assert.equal(rows[0]?.['count'], 5);
  });

  test('runs work in the async context of its caller', async ({ storage, insert }) => {
    const context = new AsyncLocalStorage<number>();
    const seen = await Promise.all(
      range(8).map((index) =>
        context.run(index, () =>
          storage.transact(async (connection) => {
            const before = context.getStore();
            await connection.query(insert(`c${index}`));
            return [before, context.getStore()];
          }),
        ),
      ),
    );
    assert.deepEqual(
      seen,
      range(8).map((index) => [index, index]),
    );
  });

  test('gives a lock to one transaction until that has ended', async ({ storage, capabilities: { sharedCommits } }) => {
    const secondTry = gate();
    const first = storage.transact(async (connection) => {
      const taken = await storage.tryLock(connection, 'name');
      const again = await storage.tryLock(connection, 'name');
      // If commits are shared, both run in one batch, and neither may wait for the other.
      if (!sharedCommits) await secondTry.opened;
      return [taken, again];
    });
    const second = storage.transact(async (connection) => {
      if (!sharedCommits) await untilTaken(storage, 'name');
      const taken = await storage.tryLock(connection, 'name');
      const other = await storage.tryLock(connection, 'another name');
      secondTry.open();
      return [taken, other];
    });
    assert.deepEqual(await Promise.all([first, second]), [
      [true, true],
      [false, true],
    ]);
    assert.equal(await storage.transact((connection) => storage.tryLock(connection, 'name')), true);
  });

  test('frees a lock when the transaction is rolled back', async ({ storage }) => {
    const failing = storage.transact(async (connection) => {
      await storage.tryLock(connection, 'name');
      throw new Error('no');
    });
    await assert.rejects(failing);
    assert.equal(await storage.transact((connection) => storage.tryLock(connection, 'name')), true);
  });

  if (offers.capabilities.sharedCommits) sharedCommitsPart(test, offers);
  else separateCommitsPart(test);
};

/** Waits until another transaction has the lock. */
async function untilTaken(storage: StorageBench['storage'], name: string): Promise<void> {
  while (await storage.transact((connection) => storage.tryLock(connection, name))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function separateCommitsPart(test: RegisterBenchTest): void {
  test('shows nothing of a running transaction to others', async ({ storage, insert, ids }) => {
    await storage.transact(async (connection) => {
      await connection.query(insert('a'));
      assert.deepEqual(await ids(), []);
    });
    assert.deepEqual(await ids(), ['a']);
  });

  test('lets work await something other than its own connection', async ({ storage, insert, ids }) => {
    await storage.transact(async (connection) => {
      await connection.query(insert('a'));
      await new Promise((resolve) => setTimeout(resolve, 1));
      await connection.query(insert('b'));
    });
    assert.deepEqual(await ids(), ['a', 'b']);
  });

  test('waits for a free connection up to a deadline, and then runs nothing', async ({ storage, insert, ids }) => {
    const release = gate();
    const many = range(100).map(() => storage.transact(() => release.opened));
    const waiting = storage.transact((connection) => connection.query(insert('a')), { waitMs: 40 });
    await assert.rejects(waiting, (error) => isStorageError(error, 'unavailable'));
    const controller = new AbortController();
    const reason = new Error('gave up');
    const aborted = storage.transact((connection) => connection.query(insert('b')), { signal: controller.signal });
    controller.abort(reason);
    await assert.rejects(aborted, (error) => error === reason);
    release.open();
    await Promise.all(many);
    await storage.transact((connection) => connection.query(insert('c')));
    assert.deepEqual(await ids(), ['c']);
  });
}
