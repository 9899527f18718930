// The storage suite's tests of adapters whose callers share a commit: order, results, waits outside of the batch, the writer.
import { strict as assert } from 'node:assert';
import { isStorageError, type SqlConnection } from '../../core/contract/ports/storage.ts';
import { gate, type SuitePart } from './storage-suite-bench.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Registers this part. Called by storage-suite-concurrency.ts. */
export const sharedCommitsPart: SuitePart = (test, offers) => {
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

  test('resolves no transaction before the shared commit', async ({ storage, insert }) => {
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

  test('refuses work that awaits something other than its own connection, and commits the other work', async ({
    storage,
    insert,
    sql,
    ids,
  }) => {
    const never = gate();
    let lateConnection: SqlConnection | undefined;
    const run = (id: string, wait: boolean) =>
      storage.transact(async (connection) => {
        await connection.query(insert(id));
        if (!wait) return;
        lateConnection = connection;
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
      async () => lateConnection?.query(sql('select 1 as one')),
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
    test('rejects every transaction of the batch if the shared commit fails', async ({ storage, insert, sql, ids }) => {
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

  test('yields the writer between batches, never inside one', async ({ storage, insert }) => {
    const order: string[] = [];
    const yielded = gate();
    await storage.transact(async (connection) => {
      void storage.yieldWriter?.().then(() => {
        order.push('yielded');
        yielded.open();
      });
      await connection.query(insert('a'));
      order.push('ran');
    });
    await yielded.opened;
    await storage.yieldWriter?.();
    assert.deepEqual(order, ['ran', 'yielded']);
  });

  test('tries once if the wait is limited to 0 ms', async ({ storage, insert, ids }) => {
    const many = range(150).map((index) => storage.transact((connection) => connection.query(insert(`m${index}`))));
    await Promise.all(many);
    await storage.transact((connection) => connection.query(insert('a')), { waitMs: 0 });
    assert.equal((await ids()).length, 151);
  });

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

  test('continues as soon as the program has committed', async ({ storage, subject, insert, ids }) => {
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
};
