// Behaviour specific to SQLite: its settings, shared handles, full disks, locked files, two processes on one file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { incompatibleDriver } from '../../adapters/storage/sqlite-package.ts';
import { isStorageError, type SqlConnection, type StorageDriver } from '../../core/contract/ports/storage.ts';

const test = suite('sqlite storage, faults');

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'postrider-sqlite-'));
const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

const plain = (sql: string, ...parameters: unknown[]) => ({ sql, parameters });
const insert = (id: string) => plain('insert into items (id) values (?)', id);
const countOf = async (storage: StorageDriver): Promise<unknown> => {
  const { rows } = await storage.read((connection) => connection.query(plain('select count(*) as count from items')));
  return rows[0]?.count;
};
const faultOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
    return 'none';
  } catch (error) {
    return isStorageError(error) ? error.fault : 'no StorageError';
  }
};

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = newFolder();
  try {
    await work(folder);
  } finally {
    removeFolder(folder);
  }
}

async function createItems(storage: StorageDriver): Promise<void> {
  await storage.transact((connection) =>
    connection.query(plain('create table items (id text primary key, body blob, n integer)')),
  );
}

test('the storage opens and creates nothing before open()', () =>
  withFolder(async (folder) => {
    const filename = join(folder, 'database.sqlite');
    const unopenedStorage = sqliteStorage({ filename });
    assert.not(existsSync(filename));
    const storage = await unopenedStorage.open();
    assert.ok(existsSync(filename));
    await storage.close();
  }));

test('the storage refuses an empty filename', () => {
  assert.throws(() => sqliteStorage({ filename: '' }), /needs one of the options filename, database, and it is empty/);
  for (const filename of [' ', 'file:data.sqlite?mode=ro']) {
    assert.throws(() => sqliteStorage({ filename }), /cannot be the filename/);
  }
});

class DatabaseSync {
  prepare() {}
  exec() {}
}

test('the storage refuses a handle of node:sqlite by name, as the database and as a transaction, and names the alternative', async () => {
  const handle = new DatabaseSync();
  const refusal = /a handle of node:sqlite \(DatabaseSync\).* Open the file with better-sqlite3/;
  assert.throws(() => sqliteStorage({ database: handle as never }), refusal);
  assert.throws(() => sqliteStorage({ database: {} as never }), /must be a handle of better-sqlite3/);
  const storage = await sqliteStorage({ filename: ':memory:' }).open();
  assert.throws(() => storage.join(handle), refusal);
  await storage.close();
});

for (const [version, driver, versions, expectedFault] of [
  [
    '13 on Node 20',
    '13.2.0',
    { node: '20.20.2', napi: '9' },
    /13\.2\.0 crashes on Node 20\.20\.2.* npm install better-sqlite3@12$/,
  ],
  [
    '12, compiled here, on Node 24.19',
    '12.11.1',
    { node: '24.19.0' },
    /crashes on Node 24\.19\.0\. .*better-sqlite3@13$/,
  ],
  ['12, compiled here, on Node 26', '12.11.1', { node: '26.0.0' }, /crashes on Node 26\.0\.0\. .*better-sqlite3@13$/],
  ['12, compiled here, on Node 24.18', '12.11.1', { node: '24.18.0' }, undefined],
  ['13 on Node 22.13', '13.2.0', { node: '22.13.0', napi: '9' }, /crashes on Node 22\.13\.0: it needs Node 22\.14/],
  ['12 on Node 20', '12.11.1', { node: '20.20.2', napi: '9' }, undefined],
  ['13 on Node 22.14', '13.2.0', { node: '22.14.0', napi: '10' }, undefined],
  ['13 on Bun, which names an old Node', '13.2.0', { node: '20.0.0', napi: '9', bun: '1.4.5' }, undefined],
] as const) {
  test(`${expectedFault === undefined ? 'the storage opens with' : 'the storage refuses before a crash, and names the versions:'} better-sqlite3 ${version}`, () => {
    const fault = incompatibleDriver({ version: driver, isCompiledHere: true }, versions);
    if (expectedFault === undefined) assert.is(fault, undefined);
    else assert.match(fault ?? '', expectedFault);
  });
}

test('the storage opens with a downloaded better-sqlite3 12 on every Node version that has one', () => {
  assert.is(incompatibleDriver({ version: '12.11.1', isCompiledHere: false }, { node: '24.21.0' }), undefined);
});

test('the storage keeps the writer in WAL mode with synchronous FULL, foreign keys and no blocking wait', () =>
  withFolder(async (folder) => {
    const storage = await sqliteStorage({ filename: join(folder, 'full.sqlite') }).open();
    const live = await storage.transact(async (connection) => {
      const pragma = async (name: string) =>
        Object.values((await connection.query(plain(`pragma ${name}`))).rows[0] ?? {})[0];
      return [
        await pragma('journal_mode'),
        await pragma('synchronous'),
        await pragma('foreign_keys'),
        await pragma('busy_timeout'),
      ];
    });
    assert.equal(live, ['wal', 2, 1, 0]);
    const { journal_mode, synchronous, foreign_keys, busy_timeout } = await storage.describe();
    assert.equal([journal_mode, synchronous, foreign_keys, busy_timeout], live);
    await storage.close();
    const normal = await sqliteStorage({ filename: join(folder, 'normal.sqlite') }, { synchronous: 'normal' }).open();
    assert.is((await normal.describe()).synchronous, 1);
    await normal.close();
  }));

test('the storage applies its settings to a shared handle for its own commits only', () =>
  withFolder(async (folder) => {
    const database = new BetterSqlite(join(folder, 'database.sqlite'), { timeout: 1234 });
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    const settings = () => [
      database.pragma('synchronous', { simple: true }),
      database.pragma('busy_timeout', { simple: true }),
    ];
    const storage = await sqliteStorage({ database }).open();
    await createItems(storage);
    const during: unknown[] = [];
    await storage.transact(async () => during.push(...settings()));
    await storage.transact(() => Promise.reject(new Error('no'))).catch(() => undefined);
    await countOf(storage);
    assert.equal(during, [2, 0]);
    assert.is((await storage.describe()).synchronous, 2);
    assert.equal(settings(), [1, 1234]);
    await storage.close();
    assert.ok(database.open);
    database.close();
  }));

test('the storage runs nothing on a shared handle while the program has an open transaction on it', () =>
  withFolder(async (folder) => {
    const database = new BetterSqlite(join(folder, 'database.sqlite'));
    const storage = await sqliteStorage({ database }, { waitMs: 30 }).open();
    await createItems(storage);
    database.exec('BEGIN');
    database.prepare("insert into items (id) values ('of the program')").run();
    assert.is(await faultOf(storage.transact((connection) => connection.query(insert('ours')))), 'busy');
    assert.is(await faultOf(countOf(storage)), 'busy');
    const patient = countOf(storage);
    database.exec('ROLLBACK');
    assert.is(await patient, 0);
    await storage.close();
    database.close();
  }));

test('the storage never shows a half-done batch to a read on the same connection', async () => {
  const storage = await sqliteStorage({ filename: ':memory:' }).open();
  await createItems(storage);
  const seenCounts: unknown[] = [];
  const writing = storage.transact(async (connection) => {
    await connection.query(insert('a'));
    void countOf(storage).then((count) => seenCounts.push(count));
    await Promise.resolve();
    throw new Error('no');
  });
  assert.is(await faultOf(writing), 'no StorageError');
  while (seenCounts.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(seenCounts, [0]);
  await storage.close();
});

test('the storage lets the event loop run between batches', async () => {
  const storage = await sqliteStorage({ filename: ':memory:' }).open();
  await createItems(storage);
  let turns = 0;
  let counting = true;
  const count = (): void => {
    turns += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    Array.from({ length: 300 }, (_, index) => storage.transact((connection) => connection.query(insert(`i${index}`)))),
  );
  counting = false;
  assert.ok(turns >= 4, `${turns} turns for 300 transactions`);
  assert.is(await countOf(storage), 300);
  await storage.close();
});

test('the storage reports a full disk to every caller whose rows were lost, and to no other caller', () =>
  withFolder(async (folder) => {
    const database = new BetterSqlite(join(folder, 'database.sqlite'));
    database.pragma('journal_mode = WAL');
    const storage = await sqliteStorage({ database }).open();
    await createItems(storage);
    database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true })) + 2}`);
    const big = (connection: SqlConnection) =>
      connection.query(plain('insert into items (id, body) values (?, ?)', 'big', Buffer.alloc(200_000)));
    const faults = await Promise.all([
      faultOf(storage.transact((connection) => connection.query(insert('before')))),
      faultOf(storage.transact(big)),
      faultOf(storage.transact((connection) => connection.query(insert('after')))),
    ]);
    assert.equal(faults, ['full', 'full', 'none']);
    assert.is(await countOf(storage), 1);
    await storage.close();
    database.close();
  }));

test('the storage reports a database that cannot be written or opened as unavailable', () =>
  withFolder(async (folder) => {
    const filename = join(folder, 'database.sqlite');
    new BetterSqlite(filename).exec('create table items (id text primary key)').close();
    const database = new BetterSqlite(filename, { readonly: true });
    const storage = await sqliteStorage({ database }).open();
    assert.is(await faultOf(storage.transact((connection) => connection.query(insert('a')))), 'unavailable');
    assert.is(await countOf(storage), 0);
    await storage.close();
    database.close();
    assert.is(await faultOf(sqliteStorage({ database }).open()), 'unavailable');
    assert.is(await faultOf(sqliteStorage({ filename: join(filename, 'below-a-file.sqlite') }).open()), 'unavailable');
    assert.is(await faultOf(sqliteStorage({ filename: folder }).open()), 'unavailable');
    writeFileSync(filename, 'this is not a database '.repeat(100));
    assert.is(await faultOf(sqliteStorage({ filename }).open()), 'other');
  }));

test('the storage names the file that cannot be opened, and the remedy', () =>
  withFolder(async (folder) => {
    const filename = join(folder, 'database.sqlite');
    const messageOf = (path: string): Promise<string> =>
      sqliteStorage({ filename: path })
        .open()
        .then(
          () => 'none',
          (error: unknown) => (error as Error).message,
        );
    assert.is(
      await messageOf(folder),
      `The SQLite file ${folder} cannot be opened: it is not a file. Give the path of a file as filename (SQLITE_CANTOPEN).`,
    );
    writeFileSync(filename, 'this is not a database '.repeat(100));
    assert.is(
      await messageOf(filename),
      `The SQLite file ${filename} cannot be opened: it is not a SQLite database. Give another filename (SQLITE_NOTADB).`,
    );
    const below = await messageOf(join(filename, 'deeper', 'file.sqlite'));
    assert.match(below, `The folder of the SQLite file ${join(filename, 'deeper', 'file.sqlite')} cannot be created: `);
    assert.match(below, /Create it for the user of this process, or give another filename\.$/);
    // Root may write everywhere.
    if (process.getuid?.() === 0) return;
    chmodSync(folder, 0o500);
    assert.match(
      await messageOf(join(folder, 'new.sqlite')),
      `new.sqlite cannot be opened: this process may not write the folder ${folder}. Give its user the right`,
    );
    chmodSync(folder, 0o700);
  }));

test('when it is opened, the storage waits for a file that another connection has locked', () =>
  withFolder(async (folder) => {
    const filename = join(folder, 'database.sqlite');
    const host = new BetterSqlite(filename);
    host.exec('create table items (id text primary key); begin exclusive');
    assert.is(await faultOf(sqliteStorage({ filename }, { waitMs: 20 }).open()), 'busy');
    const opening = sqliteStorage({ filename }).open();
    setImmediate(() => host.exec('commit'));
    const storage = await opening;
    assert.is(await countOf(storage), 0);
    await storage.close();
    host.close();
  }));

test('the storage refuses writing, and keeping a snapshot, in a read', () =>
  withFolder(async (folder) => {
    const storage = await sqliteStorage({ filename: join(folder, 'database.sqlite') }).open();
    await createItems(storage);
    for (const text of ["insert into items (id) values ('a')", 'savepoint a', 'begin', 'vacuum']) {
      assert.is(await faultOf(storage.read((connection) => connection.query(plain(text)))), 'other');
    }
    assert.is(await faultOf(storage.read((connection) => connection.batch([insert('a')]))), 'other');
    assert.is(await countOf(storage), 0);
    await storage.close();
  }));

test('the storage binds whole numbers as integers', async () => {
  const storage = await sqliteStorage({ filename: ':memory:' }).open();
  const { rows } = await storage.read((connection) =>
    connection.query(plain('select typeof(?) as whole, typeof(?) as fraction, ? / 2 as half', 5, 5.5, 5)),
  );
  assert.equal({ ...rows[0] }, { whole: 'integer', fraction: 'real', half: 2 });
  await storage.close();
});

test('the storage sees columns that were added after a statement was prepared', () =>
  withFolder(async (folder) => {
    const storage = await sqliteStorage({ filename: join(folder, 'database.sqlite') }).open();
    await createItems(storage);
    const all = () => storage.read((connection) => connection.query(plain('select * from items')));
    await storage.transact((connection) => connection.query(insert('a')));
    await all();
    await storage.transact((connection) =>
      connection.query(plain("alter table items add column added text default 'new'")),
    );
    assert.is((await all()).rows[0]?.added, 'new');
    await storage.close();
  }));

test('two processes on one file lose no increment', () =>
  withFolder(async (folder) => {
    const filename = join(folder, 'database.sqlite');
    const storage = await sqliteStorage({ filename }).open();
    await storage.transact(async (connection) => {
      await connection.query(plain('create table suite_items (id text primary key, n integer not null)'));
      await connection.query(plain("insert into suite_items values ('counter', 0)"));
    });
    const script = fileURLToPath(new URL('../support/increment-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), script, filename, '400'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const processExit = once(child, 'exit');
    const add = plain("update suite_items set n = n + 1 where id = 'counter'");
    for (let doneCount = 0; doneCount < 400; doneCount += 4) {
      await Promise.all([1, 2, 3, 4].map(() => storage.transact((connection) => connection.query(add))));
    }
    assert.equal(await processExit, [0, null]);
    const { rows } = await storage.read((connection) => connection.query(plain('select n from suite_items')));
    assert.is(rows[0]?.n, 800);
    await storage.close();
  }));

test.run();
