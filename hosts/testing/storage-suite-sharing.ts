// The storage suite's tests of work that may share a transaction or a connection. An adapter may ignore `mayShare`: the results are
// the same. Each test repeats its work, because an adapter may learn from the first run.
import { strict as assert } from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import { isStorageError, type SqlConnection, type SqlStatement } from '../../core/contract/ports/storage.ts';
import { gate, type StorageBench, type SuitePart } from './storage-suite-bench.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const rounds = range(3);
const shared = { mayShare: true } as const;

const texts = [
  null,
  '',
  'NULL',
  '{}',
  '{"a",b}',
  '"quoted"',
  '\\',
  '\\"',
  "it's",
  'a,b',
  ' İß ',
  '漢字 😀',
  'two\nlines',
];
const numbers = [0, -1, 9_007_199_254_740_991, -9_007_199_254_740_991];
const bodies = [null, Buffer.alloc(0), Buffer.from(range(256)), Buffer.from('\\x00"')];

const finish = async (connection: SqlConnection, ...statements: SqlStatement[]): Promise<void> => {
  if (connection.finishWith === undefined) await connection.batch(statements);
  else connection.finishWith(statements);
};

const settled = async (
  storage: StorageBench['storage'],
  works: readonly ((connection: SqlConnection) => Promise<unknown>)[],
) =>
  (await Promise.allSettled(works.map((work) => storage.transact(work, shared)))).map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : outcome.reason,
  );

/** Registers this part. Called by storage-suite.ts. */
export const sharingPart: SuitePart = (test, { capabilities: { sharedCommits }, shared: seesCommits }) => {
  test('keeps the reads and writes of shared work apart', async ({ storage, sql }) => {
    const values = range(150).map((index) => ({
      id: `v${String(index).padStart(3, '0')}`,
      n: numbers[index % numbers.length],
      // The column is unique.
      note: texts[index % texts.length] === null ? null : `${texts[index % texts.length]} ${index}`,
      body: bodies[index % bodies.length],
    }));
    const found = (id: string) => sql('select id, n, note, body from suite_items where id = ?', id);
    for (const round of rounds) {
      const results = await Promise.all(
        values.map(({ id, n, note, body }) =>
          storage.transact(async (connection) => {
            const [before, sum] = await Promise.all([
              connection.query(found(`${id}-${round - 1}`)),
              connection.query(sql('select count(*) as count from suite_items where id < ? and n > ?', '', 0)),
            ]);
            const late = await connection.query(found(`${id}-none`));
            await finish(
              connection,
              sql(
                'insert into suite_items (id, n, note, body) values (?, ?, ?, ?)',
                `${id}-${round}`,
                n,
                note === null ? null : `${round} ${note}`,
                body,
              ),
              sql(
                'insert into suite_parents (id) select ? from suite_items where id = ? limit 1',
                `${id}-${round}`,
                `${id}-${round - 1}`,
              ),
            );
            return { before: before.rows, count: sum.rows[0]?.['count'], late: late.rows };
          }, shared),
        ),
      );
      assert.deepEqual(
        results,
        values.map(({ id, n, note, body }) => ({
          before:
            round === 0
              ? []
              : [{ id: `${id}-${round - 1}`, n, note: note === null ? null : `${round - 1} ${note}`, body }],
          count: 0,
          late: [],
        })),
      );
    }
    const { rows } = await storage.read((connection) =>
      connection.query(sql('select id from suite_parents order by id')),
    );
    assert.deepEqual(
      rows.map(({ id }) => id),
      values.flatMap(({ id }) => [`${id}-1`, `${id}-2`]),
    );
  });

  test('resolves shared work after its commit', async ({ subject, storage, insert }) => {
    const other = seesCommits ? await subject.createAdapter().open() : storage;
    try {
      for (const round of rounds) {
        const seen = range(20).map(async (index) => {
          await storage.transact((connection) => finish(connection, insert(`c${round}-${index}`)), shared);
          const row = insert(`c${round}-${index}`);
          await assert.rejects(
            other.transact((connection) => connection.query(row)),
            (error) => isStorageError(error, 'unique'),
          );
        });
        await Promise.all(seen);
      }
    } finally {
      if (other !== storage) await other.close();
    }
  });

  test('failing work does not affect the work that shares its transaction', async ({ storage, insert, sql, ids }) => {
    await storage.transact((connection) => connection.query(insert('taken')));
    const own = new Error('own fault');
    for (const round of rounds) {
      const id = (index: number): string => `h${round}-${String(index).padStart(2, '0')}`;
      const kinds: ((index: number, connection: SqlConnection) => Promise<unknown>)[] = [
        async (index, connection) => finish(connection, insert(id(index))),
        async () => Promise.reject(own),
        async (index, connection) => finish(connection, insert(id(index)), insert('taken')),
        async (_, connection) => connection.query(sql('select missing from suite_items where id = ?', 'a')),
        async (index, connection) => connection.query(insert(id(index))),
        async (index, connection) => finish(connection, insert(id(index), undefined)),
        async (index, connection) => {
          await connection.query(sql('SAVEPOINT suite_work'));
          await connection.query(insert(id(index)));
          await connection.query(sql('RELEASE SAVEPOINT suite_work'));
        },
        async () => 'wrote nothing',
      ];
      const outcomes = await settled(
        storage,
        range(32).map((index) => (connection) => kinds[index % kinds.length]?.(index, connection) ?? Promise.resolve()),
      );
      for (const [index, outcome] of outcomes.entries()) {
        const kind = index % kinds.length;
        if (kind === 1) assert.equal(outcome, own);
        else if (kind === 2) assert.ok(isStorageError(outcome, 'unique'), String(outcome));
        else if (kind === 3 || kind === 5) assert.ok(isStorageError(outcome, 'other'), String(outcome));
        else if (kind === 7) assert.equal(outcome, 'wrote nothing');
        else assert.ok(!(outcome instanceof Error), String(outcome));
      }
      const stored = (await ids()).filter((one) => one.startsWith(`h${round}`));
      assert.deepEqual(
        stored,
        range(32)
          .filter((index) => [0, 4, 6].includes(index % kinds.length))
          .map(id),
      );
    }
  });

  test('runs every update of shared work, even updates of the same row', async ({ storage, insert, sql, ids }) => {
    for (const id of ['counted', 'removed']) await storage.transact((connection) => connection.query(insert(id)));
    for (const _ of rounds)
      await Promise.all(
        range(12).map((index) =>
          storage.transact(async (connection) => {
            await connection.query(sql('select n from suite_items where id = ?', 'none'));
            await finish(
              connection,
              index === 5
                ? sql('delete from suite_items where id = ?', 'removed')
                : sql('update suite_items set n = n + ? where id in (?, ?)', 1, 'counted', 'removed'),
            );
          }, shared),
        ),
      );
    const { rows } = await storage.read((connection) => connection.query(sql('select id, n from suite_items')));
    assert.deepEqual(rows, [{ id: 'counted', n: rounds.length * 11 }]);
    assert.deepEqual(await ids(), ['counted']);
  });

  test('ends shared work only after the statements that it did not await', async ({ storage, insert, sql, ids }) => {
    for (const round of rounds) {
      const outcomes = await settled(
        storage,
        range(10).map((index) => async (connection) => {
          void connection.query(sql('select n from suite_items where id = ?', 'none'));
          if (index % 2 === 0) return finish(connection, insert(`u${round}-${index}`));
          return Promise.reject(index);
        }),
      );
      assert.deepEqual(
        outcomes,
        range(10).map((index) => (index % 2 === 0 ? undefined : index)),
      );
    }
    assert.equal((await ids()).length, 15);
  });

  test('gives a lock to only one work of a shared transaction', async ({ storage, insert, sql, ids }) => {
    for (const round of rounds) {
      const taken = await settled(
        storage,
        range(24).map((index) => async (connection) => {
          const row = `l${round}-${index % 2}`;
          const [mine, common, { rows }] = await Promise.all([
            storage.tryLock(connection, `mine ${index}`),
            storage.tryLock(connection, `common ${index % 2}`),
            connection.query(sql('select id from suite_items where id = ?', row)),
          ]);
          // If two held the lock at once, one of them would fail with a unique violation.
          if (common && rows.length === 0) await finish(connection, insert(row));
          return [mine, common];
        }),
      );
      assert.ok(
        taken.every((answer) => Array.isArray(answer) && answer[0] === true),
        String(taken),
      );
    }
    assert.deepEqual(
      await ids(),
      rounds.flatMap((round) => [`l${round}-0`, `l${round}-1`]),
    );
  });

  test('runs shared work in the async context of its caller', async ({ storage, sql }) => {
    const context = new AsyncLocalStorage<number>();
    const work = async (connection: SqlConnection) => {
      const before = context.getStore();
      await connection.query(sql('select n from suite_items where id = ?', 'none'));
      return [before, context.getStore()];
    };
    for (const run of [
      (index: number) => context.run(index, () => storage.transact(work, shared)),
      (index: number) => context.run(index, () => storage.read(work, shared)),
    ])
      assert.deepEqual(
        await Promise.all(range(8).map(run)),
        range(8).map((index) => [index, index]),
      );
  });

  test('keeps shared reads apart, even if one of them fails', async ({ storage, insert, sql }) => {
    for (const index of range(40)) await storage.transact((connection) => connection.query(insert(`r${index}`, index)));
    for (const _ of rounds) {
      const answers = await Promise.allSettled(
        range(40).map((index) =>
          storage.read(async (connection) => {
            const text =
              index === 7 ? 'select missing from suite_items where id = ?' : 'select n from suite_items where id = ?';
            const { rows } = await connection.query(sql(text, `r${index}`));
            return rows;
          }, shared),
        ),
      );
      for (const [index, answer] of answers.entries())
        if (index === 7) assert.equal(answer.status, 'rejected');
        else assert.deepEqual(answer, { status: 'fulfilled', value: [{ n: index }] });
    }
  });

  if (seesCommits) {
    test('closes only after the shared work has ended', async ({ subject, insert, sql, ids }) => {
      const closing = await subject.createAdapter().open();
      const work = range(20).map((index) =>
        closing.transact(async (connection) => {
          await connection.query(sql('select n from suite_items where id = ?', 'none'));
          // The last one has to run again by itself.
          if (index === 19) await connection.query(insert(`w${index}`));
          else await finish(connection, insert(`w${index}`));
        }, shared),
      );
      await closing.close();
      await Promise.all(work);
      await assert.rejects(closing.transact((connection) => finish(connection, insert('late')), shared));
      assert.equal((await ids()).length, 20);
    });
  }

  if (sharedCommits) return;

  test('refuses shared work a lock of another transaction, even at repeated attempts', async ({ storage }) => {
    for (const _ of rounds) {
      const [held, free] = [gate(), gate()];
      const holder = storage.transact(async (connection) => {
        assert.ok(await storage.tryLock(connection, 'held'));
        held.open();
        await free.opened;
      });
      await held.opened;
      const taken = await settled(
        storage,
        range(4).map(() => async (connection) => {
          const both = await Promise.all([storage.tryLock(connection, 'held'), storage.tryLock(connection, 'held')]);
          return [...both, await storage.tryLock(connection, 'held')];
        }),
      );
      free.open();
      await holder;
      for (const answers of taken) assert.deepEqual(answers, [false, false, false]);
    }
  });

  test('continues without work that waits for a row, or for something other than its own connection', async ({
    storage,
    insert,
    sql,
    ids,
  }) => {
    await storage.transact((connection) => connection.query(insert('locked')));
    for (const round of rounds) {
      const [locked, free] = [gate(), gate()];
      const holder = storage.transact(async (connection) => {
        await connection.query(sql("update suite_items set n = n + 1 where id = 'locked'"));
        locked.open();
        await free.opened;
      });
      await locked.opened;
      const work = range(12).map((index) =>
        storage.transact(async (connection) => {
          await connection.query(sql('select n from suite_items where id = ?', 'none'));
          if (index === 3) await free.opened;
          const update = sql('update suite_items set n = n + 1 where id = ?', 'locked');
          await finish(
            connection,
            insert(`s${round}-${String(index).padStart(2, '0')}`),
            ...(index === 5 ? [update] : []),
          );
        }, shared),
      );
      // This work ends while the other two cannot.
      await Promise.all(work.filter((_, index) => index !== 3 && index !== 5));
      free.open();
      await Promise.all([holder, ...work]);
    }
    assert.equal((await ids()).length, 1 + rounds.length * 12);
    const { rows } = await storage.read((connection) =>
      connection.query(sql("select n from suite_items where id = 'locked'")),
    );
    assert.equal(rows[0]?.['n'], rounds.length * 2);
  });
};
