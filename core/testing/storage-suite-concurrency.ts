// The storage suite's tests of many callers at once: isolation, shared commits, waiting, locks.
import { strict as assert } from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlConnection } from '../contract/ports/storage.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import type { Bench, SuitePart } from './storage-suite-subject.ts';
import { gate } from './storage-suite-subject.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Registers this part. Called by storage-suite.ts. */
export const concurrencyPart: SuitePart = (test, { dialect, capabilities, hostTransactions }) => {
  test('loses none of many increments at once', async ({ storage, insert, sql }) => {
    await storage.transact((connection) => connection.query(insert('counter')));
    const increment = sql("update suite_items set n = n + 1 where id = 'counter'");
    await Promise.all(range(150).map(() => storage.transact((connection) => connection.query(increment))));
    const { rows } = await storage.read((connection) => connection.query(sql('select n from suite_items')));
    assert.equal(rows[0]?.['n'], 150);
  });

  test('lets no failing transaction harm the others', async ({ storage, insert, sql, ids }) => {
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
    const tried = gate();
    const first = storage.transact(async (connection) => {
      const taken = await storage.tryLock(connection, 'name');
      const again = await storage.tryLock(connection, 'name');
      // Where commits are shared, both run in one batch and neither may wait for the other.
      if (!sharedCommits) await tried.opened;
      return [taken, again];
    });
    const second = storage.transact(async (connection) => {
      if (!sharedCommits) await untilTaken(storage, 'name');
      const taken = await storage.tryLock(connection, 'name');
      const other = await storage.tryLock(connection, 'another name');
      tried.open();
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

  if (capabilities.sharedCommits) sharedCommitsPart(test, { dialect, hostTransactions });
  else separateCommitsPart(test);
};

type Register = (name: string, run: (bench: Bench) => Promise<void>) => void;

/** Waits until somebody holds the lock. */
async function untilTaken(storage: Bench['storage'], name: string): Promise<void> {
  while (await storage.transact((connection) => storage.tryLock(connection, name))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function sharedCommitsPart(test: Register, offers: { dialect: string; hostTransactions: boolean }): void {
  test('runs the transactions of one turn strictly one after another', async ({ storage, insert, sql }) => {
    await storage.transact((connection) => connection.query(insert('counter')));
    let running = 0;
    const readAndWrite = async (connection: SqlConnection): Promise<void> => {
      running += 1;
      assert.equal(running, 1);
      const { rows } = await connection.query(sql('select n from suite_items'));
      await Promise.resolve();
      await connection.query(sql('update suite_items set n = ?', Number(rows[0]?.['n']) + 1));
      running -= 1;
    };
    await Promise.all(range(150).map(() => storage.transact(readAndWrite)));
    const { rows } = await storage.read((connection) => connection.query(sql('select n from suite_items')));
    assert.equal(rows[0]?.['n'], 150);
  });

  test('answers nobody before the shared commit', async ({ storage, insert }) => {
    const order: string[] = [];
    const first = storage
      .transact(async (connection) => {
        await connection.query(insert('a'));
        order.push('first ran');
      })
      .then(() => order.push('first answered'));
    const second = storage.transact(async (connection) => {
      await connection.query(insert('b'));
      order.push('second ran');
    });
    await Promise.all([first, second]);
    assert.deepEqual(order, ['first ran', 'second ran', 'first answered']);
  });

  test('refuses work that awaits something foreign, and commits its neighbours', async ({
    storage,
    insert,
    sql,
    ids,
  }) => {
    const never = gate();
    let late: SqlConnection | undefined;
    const run = (id: string, wait: boolean) =>
      storage.transact(async (connection) => {
        await connection.query(insert(id));
        if (!wait) return;
        late = connection;
        await never.opened;
        await connection.query(insert(`${id} later`));
      });
    const outcomes = await Promise.allSettled([run('a', false), run('b', true), run('c', false), run('d', false)]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
    const [, refused] = outcomes;
    assert.ok(refused?.status === 'rejected' && isStorageError(refused.reason, 'handler_awaited_outside'));
    assert.match(refused.reason.message, /before the transaction|in a job/);
    await assert.rejects(
      async () => late?.query(sql('select 1 as one')),
      (error) => isStorageError(error, 'handle_revoked'),
    );
    never.open();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await ids(), ['a', 'c', 'd']);
  });

  test('refuses a transaction that awaits another one', async ({ storage, insert, ids }) => {
    const outer = storage.transact(async (connection) => {
      await connection.query(insert('outer'));
      await storage.transact((inner) => inner.query(insert('inner')));
    });
    await assert.rejects(outer, (error) => isStorageError(error, 'handler_awaited_outside'));
    await storage.transact(async () => undefined);
    assert.deepEqual(await ids(), ['inner']);
  });

  if (offers.dialect !== 'mysql') {
    test('fails every member when the shared commit fails', async ({ storage, insert, sql, ids }) => {
      const orphan = sql("insert into suite_children (id, parent) values ('c', 'missing')");
      const outcomes = await Promise.allSettled([
        storage.transact((connection) => connection.query(insert('a'))),
        storage.transact((connection) => connection.query(orphan)),
        storage.transact((connection) => connection.query(insert('b'))),
      ]);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['rejected', 'rejected', 'rejected'],
      );
      assert.deepEqual(await ids(), []);
      await storage.transact((connection) => connection.query(insert('c')));
      assert.deepEqual(await ids(), ['c']);
    });
  }

  if (!offers.hostTransactions) return;

  test('waits without blocking while the program writes, up to a deadline', async ({
    storage,
    subject,
    insert,
    ids,
  }) => {
    const host = await subject.beginHostTransaction?.();
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    }, 1);
    const waiting = storage.transact((connection) => connection.query(insert('a')), { waitMs: 40 });
    await assert.rejects(waiting, (error) => isStorageError(error, 'busy'));
    clearInterval(counting);
    assert.ok(turns > 1);
    await host?.rollback();
    await storage.transact((connection) => connection.query(insert('b')));
    assert.deepEqual(await ids(), ['b']);
  });

  test('goes on as soon as the program has committed', async ({ storage, subject, insert, ids }) => {
    const host = await subject.beginHostTransaction?.();
    const waiting = range(5).map((index) => storage.transact((connection) => connection.query(insert(`w${index}`))));
    await new Promise((resolve) => setTimeout(resolve, 10));
    await host?.commit();
    await Promise.all(waiting);
    assert.equal((await ids()).length, 5);
  });

  test('stops waiting when the caller gives up', async ({ storage, subject, insert, ids }) => {
    const host = await subject.beginHostTransaction?.();
    const reason = new Error('gave up');
    const controller = new AbortController();
    const waiting = storage.transact((connection) => connection.query(insert('a')), { signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await assert.rejects(waiting, (error) => error === reason);
    await host?.commit();
    assert.deepEqual(await ids(), []);
  });
}

function separateCommitsPart(test: Register): void {
  test('shows nothing of a running transaction to others', async ({ storage, insert, ids }) => {
    await storage.transact(async (connection) => {
      await connection.query(insert('a'));
      assert.deepEqual(await ids(), []);
    });
    assert.deepEqual(await ids(), ['a']);
  });

  test('lets work await something foreign', async ({ storage, insert, ids }) => {
    await storage.transact(async (connection) => {
      await connection.query(insert('a'));
      await new Promise((resolve) => setTimeout(resolve, 1));
      await connection.query(insert('b'));
    });
    assert.deepEqual(await ids(), ['a', 'b']);
  });

  test('waits for a free connection up to a deadline, and runs nothing then', async ({ storage, insert, ids }) => {
    const release = gate();
    const many = range(100).map(() => storage.transact(() => release.opened));
    const late = storage.transact((connection) => connection.query(insert('a')), { waitMs: 40 });
    await assert.rejects(late, (error) => isStorageError(error, 'unavailable'));
    const controller = new AbortController();
    const reason = new Error('gave up');
    const given = storage.transact((connection) => connection.query(insert('b')), { signal: controller.signal });
    controller.abort(reason);
    await assert.rejects(given, (error) => error === reason);
    release.open();
    await Promise.all(many);
    await storage.transact((connection) => connection.query(insert('c')));
    assert.deepEqual(await ids(), ['c']);
  });
}
