// SQLite storage against the shared suite: on a file, in memory and on a shared handle.
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { suite } from 'uvu';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import type { SqlConnection } from '../../core/contract/ports/storage.ts';
import { storageAdapterSuite } from '../../hosts/testing/storage-suite.ts';
import type { HostTransaction, StorageUnderTest } from '../../hosts/testing/storage-suite-bench.ts';

const test = suite('sqlite storage');

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'postrider-sqlite-'));
const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

function hostTransaction(handle: BetterSqlite.Database, end: () => void): HostTransaction {
  handle.exec('BEGIN IMMEDIATE');
  const finish = (text: string) => async (): Promise<void> => {
    handle.exec(text);
    end();
  };
  return { handle, commit: finish('COMMIT'), rollback: finish('ROLLBACK') };
}

async function fileSubject(): Promise<StorageUnderTest> {
  const folder = newFolder();
  const filename = join(folder, 'deeper', 'database.sqlite');
  const handles: BetterSqlite.Database[] = [];
  return {
    createAdapter: () => sqliteStorage({ filename }),
    async beginHostTransaction() {
      const handle = new BetterSqlite(filename);
      handles.push(handle);
      return hostTransaction(handle, () => undefined);
    },
    async remove() {
      for (const handle of handles) handle.close();
      removeFolder(folder);
    },
  };
}

async function sharedHandleSubject(journalMode: string): Promise<StorageUnderTest> {
  const folder = newFolder();
  const database = new BetterSqlite(join(folder, 'database.sqlite'));
  database.pragma(`journal_mode = ${journalMode}`);
  return {
    createAdapter: () => sqliteStorage({ database }),
    beginHostTransaction: async () => hostTransaction(database, () => undefined),
    async remove() {
      database.close();
      removeFolder(folder);
    },
  };
}

const adapter = sqliteStorage({ filename: ':memory:' });
storageAdapterSuite({ name: 'a file', adapter, createSubject: fileSubject, hostTransactions: true }, test);
storageAdapterSuite(
  {
    name: 'in memory',
    adapter,
    createSubject: async () => ({ createAdapter: () => adapter, remove: async () => undefined }),
    shared: false,
  },
  test,
);
for (const mode of ['wal', 'delete']) {
  storageAdapterSuite(
    {
      name: `a shared handle in ${mode} mode`,
      adapter,
      createSubject: () => sharedHandleSubject(mode),
      hostTransactions: true,
    },
    test,
  );
}

test('the storage keeps in memory only the undo copies of a shared commit', async () => {
  const folder = newFolder();
  const driver = await sqliteStorage({ filename: join(folder, 'database.sqlite') }).open();
  // 0: SQLite's default, in files; 2: in memory.
  const tempStoreOf = async (connection: SqlConnection): Promise<unknown> =>
    (await connection.query({ sql: 'pragma temp_store', parameters: [] })).rows[0]?.['temp_store'];
  const settingsSeen = await Promise.all([driver.transact(tempStoreOf), driver.transact(tempStoreOf)]);
  assert.deepEqual(settingsSeen, [2, 2]);
  assert.equal(await driver.read(tempStoreOf), 0);
  assert.equal(await driver.transact(tempStoreOf), 0);
  const failing = [driver.transact(tempStoreOf), driver.transact(() => Promise.reject(new Error('undone')))];
  await Promise.allSettled(failing);
  assert.equal(await driver.read(tempStoreOf), 0);
  await driver.close();
  removeFolder(folder);
});

test('work in the background waits for other work that came later, and runs after it at the latest', async () => {
  const driver = await sqliteStorage({ filename: ':memory:' }).open();
  const order: string[] = [];
  const note = (name: string, background: boolean) =>
    driver.transact(
      async () => {
        order.push(name);
      },
      { background },
    );
  const first = [note('background', true), note('background', true), note('call', false)];
  // While the calls of a batch are answered, further calls arrive.
  const later = first[2]?.then(() => Promise.all([note('later call', false), note('later call', false)]));
  await Promise.all([...first, later]);
  assert.deepEqual(order.slice(0, 1), ['call']);
  assert.deepEqual(order.slice(1, 3), ['background', 'background']);
  assert.deepEqual(order.slice(3), ['later call', 'later call']);
  await driver.close();
});

test.run();
