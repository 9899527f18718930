// time-limit: 240
// Jobs of calls that join the program's transaction: they start only after its commit, are found without a call of the program, start at
// once if the program reports its commit, and vanish after a rollback. For every kind of handle.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SqlConnection, StorageAdapter } from '../../core/contract/ports/storage.ts';
import { until } from '../support/job-bench.ts';
import { type HostKind, type HostProgram, hostKinds, templateKey, withHost } from './transactions-hosts.ts';

/** These tests do not poll the queue, so a job is found only by a lookup, a notification or a call of the program. */
const settings = { jobPollMs: 3_600_000 };

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setTimeout(resolve, 2));
};

interface Scene {
  readonly host: HostProgram;
  /** The names of the entries whose job has run */
  readonly noted: readonly string[];
}

function scene(kind: HostKind, work: (scene: Scene) => Promise<void>, wrap = (storage: StorageAdapter) => storage) {
  const notedNames: string[] = [];
  const hooks = { noted: (name: string) => void notedNames.push(name) };
  return withHost(
    kind,
    async (host) => {
      await host.service.start();
      await work({ host, noted: notedNames });
    },
    { hooks, settings, wrap },
  );
}

/** An adapter that finds no jobs by id and gets no notifications. It counts the lookups. */
function withoutLookups(storage: StorageAdapter, onLookup: () => void): StorageAdapter {
  const isLookup = (sql: string): boolean =>
    /^select ["`]id["`] from (?:"\w+"\.)?["`]\w+jobs["`] where ["`]id["`] in/.test(sql);
  const wrap = (connection: SqlConnection): SqlConnection => ({
    batch: (statements) => connection.batch(statements),
    async query(statement) {
      if (!isLookup(statement.sql)) return connection.query(statement);
      onLookup();
      return { rows: [], changes: 0 };
    },
  });
  return {
    ...storage,
    async open() {
      const driver = await storage.open();
      return Object.create(driver, {
        read: {
          value: (work: (connection: SqlConnection) => Promise<unknown>) => driver.read((own) => work(wrap(own))),
        },
        transact: { value: driver.transact.bind(driver) },
        tryLock: { value: driver.tryLock.bind(driver) },
        join: { value: driver.join.bind(driver) },
        faultOf: { value: driver.toStorageError.bind(driver) },
        yieldWriter: { value: driver.yieldWriter?.bind(driver) },
        notify: { value: undefined },
        listen: { value: undefined },
        describe: { value: driver.describe.bind(driver) },
        close: { value: driver.close.bind(driver) },
      });
    },
  };
}

function registerTests(kind: HostKind): void {
  const test = suite(`jobs of ${kind.name} (${kind.dialect})`);

  test('jobs start after the commit without a call of the program', () =>
    scene(kind, async ({ host, noted }) => {
      await host.transaction(async ({ handle, insertOrder }) => {
        await host.calls.ledger.add({ name: 'e1' }, { trx: handle });
        await host.calls.email.send(
          { template: templateKey, to: 'ada@example.net', variables: { name: 'Ada' } },
          { trx: handle },
        );
        await turns(40);
        await insertOrder('o1');
        assert.equal([noted, host.test.mail.messages()], [[], []], 'a job ran before the commit');
      });
      await until(() => noted.length === 1 && host.test.lastMailTo('ada@example.net') !== undefined);
      assert.equal(noted, ['e1']);
      assert.is(host.test.mail.messages().length, 1);
    }));

  if (kind.dialect === 'postgres') {
    test('another process is notified of jobs at the commit', async () => {
      const notedNames: string[] = [];
      await withHost(kind, async (host) => {
        const otherProcess = host.startOtherProcess(host.createOutsider(), {
          hooks: { noted: (name) => void notedNames.push(name) },
          settings,
        });
        try {
          await otherProcess.start();
          await host.transaction(async ({ handle }) => {
            await host.calls.ledger.add({ name: 'e1' }, { trx: handle });
            await turns(20);
            assert.equal(notedNames, []);
          });
          await until(() => notedNames.length === 1);
        } finally {
          await otherProcess.stop();
        }
      });
      assert.equal(notedNames, ['e1']);
    });
  }

  test('jobs never start after a rollback', () =>
    scene(kind, async ({ host, noted }) => {
      const rollback = host.transaction(async ({ handle }) => {
        await host.calls.ledger.add({ name: 'abandoned' }, { trx: handle });
        await turns(5);
        throw new Error('changed its mind');
      });
      assert.match(await rollback.then(String, String), /changed its mind/);
      await host.transaction(({ handle }) => host.calls.ledger.add({ name: 'kept' }, { trx: handle }));
      await until(() => noted.length > 0);
      await host.test.drain();
      assert.equal(noted, ['kept']);
    }));

  test('jobs of a failed call never start, but jobs of other calls in the transaction do', () =>
    scene(kind, async ({ host, noted }) => {
      await host.transaction(async ({ handle }) => {
        await host.calls.ledger.add({ name: 'kept' }, { trx: handle });
        await host.calls.ledger.clash({ name: 'failed' }, { trx: handle }).catch(() => undefined);
      });
      await until(() => noted.length > 0);
      await host.test.drain();
      assert.equal(noted, ['kept']);
    }));

  test('jobs start at once when the program reports its commit', async () => {
    let lookups = 0;
    const wrap = (storage: StorageAdapter) =>
      withoutLookups(storage, () => {
        lookups += 1;
      });
    await scene(
      kind,
      async ({ host, noted }) => {
        // With a pool of one connection, the first claim of the worker may wait for the transaction's connection, so it must finish
        // first.
        await host.calls.ledger.add({ name: 'warm-up' });
        await until(() => noted.length === 1);
        await turns(20);
        let reportCommit: () => void = () => undefined;
        await host.transaction(async ({ handle }) => {
          const receipt = host.service.join(handle);
          reportCommit = receipt.committed;
          await host.calls.ledger.add({ name: 'e1' }, { trx: receipt });
        });
        const before = lookups;
        await until(() => lookups >= before + 2);
        assert.equal(noted, ['warm-up'], 'the job has not run before the program reports its commit');
        reportCommit();
        await until(() => noted.length === 2);
        assert.equal(noted, ['warm-up', 'e1']);
      },
      wrap,
    );
  });

  test.run();
}

for (const kind of await hostKinds()) registerTests(kind);
