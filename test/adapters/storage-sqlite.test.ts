// SQLite storage against the shared suite: on a file, in memory and on a shared handle.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { suite } from 'uvu';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { storageAdapterSuite } from '../../core/testing/storage-suite.ts';
import type { HostTransaction, StorageSubject } from '../../core/testing/storage-suite-subject.ts';

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

async function fileSubject(): Promise<StorageSubject> {
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

async function sharedHandleSubject(journalMode: string): Promise<StorageSubject> {
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

test.run();
