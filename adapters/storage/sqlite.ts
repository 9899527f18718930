// SQLite through better-sqlite3: the embedded default. Opens its own file or uses the program's handle. The only file that
// imports better-sqlite3. Opens nothing before open().

import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { type StorageAdapter, type StorageDriver, StorageError } from '../../core/contract/ports/storage.ts';
import { SqliteDriver } from './sqlite-driver.ts';
import { isBusy, openingFault } from './sqlite-faults.ts';
import { assertDriverFits } from './sqlite-package.ts';
import { ownSession, type SqliteSynchronous, sharedSession } from './sqlite-session.ts';
import { foreignHandle, isSqliteHandle, type SqliteHandle } from './sqlite-statements.ts';
import { Backoff } from './sqlite-waiting.ts';

/** The location of the database. */
export type SqliteSource =
  | {
      /** Path of the file. The file and its folder are created if missing. `:memory:` keeps everything in this process. */
      readonly filename: string;
    }
  | {
      /**
       * The program's own better-sqlite3 handle. It is neither closed nor changed: settings that the adapter's commits need apply
       * only during these commits. While the program has an open transaction on it, the adapter's transactions wait. WAL mode is
       * recommended.
       */
      readonly database: SqliteHandle;
    };

export interface SqliteOptions {
  /**
   * `full` waits at every commit until the data is on the disk, so that accepted sends survive a power failure. `normal` does not
   * wait: a power failure or a crash of the operating system may lose the last commits, but never corrupts the file. Because
   * commits are shared, `normal` gains little. (Default: 'full')
   */
  readonly synchronous?: SqliteSynchronous;
  /** Milliseconds that a transaction or a read waits while another connection has locked the database. (Default: 10000) */
  readonly waitMs?: number;
}

/**
 * SQLite as storage. Two processes may use one file. On a network file system SQLite itself is not safe.
 * @throws RangeError if the filename is empty or a URI, TypeError if the database is not a handle of better-sqlite3
 */
export function sqliteStorage(source: SqliteSource, options: SqliteOptions = {}): StorageAdapter {
  checkOptions<SqliteSource>('sqliteStorage', source, { filename: 'either', database: 'either' });
  checkOptions<SqliteOptions>('sqliteStorage', options, { synchronous: 'optional', waitMs: 'optional' });
  const synchronous = options.synchronous ?? 'full';
  const waitMs = options.waitMs ?? 10_000;
  if ('filename' in source && (source.filename.trim() === '' || source.filename.startsWith('file:'))) {
    throw new RangeError(`"${source.filename}" cannot be the filename: give a path, or :memory:.`);
  }
  if ('database' in source && !isSqliteHandle(source.database)) {
    throw new TypeError(
      foreignHandle(source.database) ??
        'sqliteStorage: `database` must be a handle of better-sqlite3. To open a file, pass `filename`.',
    );
  }
  return {
    id: 'sqlite',
    dialect: 'sqlite',
    capabilities: { sharedCommits: true, skipLocked: false, locks: 'process', notifies: false },
    open: async () =>
      'database' in source
        ? openShared(source.database, synchronous, waitMs)
        : openOwn(source.filename, synchronous, waitMs),
  };
}

function openShared(database: SqliteHandle, synchronous: SqliteSynchronous, waitMs: number): StorageDriver {
  if (!database.open)
    throw new StorageError('unavailable', 'The better-sqlite3 handle that was passed has been closed.');
  return new SqliteDriver({
    session: sharedSession(database, synchronous),
    waitMs,
    info: { driver: 'better-sqlite3', sqlite_version: versionOf(database), shared_handle: 1 },
    close: () => undefined,
  });
}

async function openOwn(filename: string, synchronous: SqliteSynchronous, waitMs: number): Promise<StorageDriver> {
  assertDriverFits();
  const inMemory = filename === ':memory:';
  if (!inMemory) await createFolder(filename);
  const handles: SqliteHandle[] = [];
  const open = (readonly: boolean): SqliteHandle => {
    const handle = new BetterSqlite(filename, { timeout: 0, readonly });
    handles.push(handle);
    return handle;
  };
  const close = (): void => {
    for (const handle of handles.splice(0).reverse()) handle.close();
  };
  const prepare = (): StorageDriver => {
    const writer = open(false);
    configure(writer, synchronous, inMemory);
    const info = { driver: 'better-sqlite3', sqlite_version: versionOf(writer), shared_handle: 0 };
    const reader = inMemory ? {} : { reader: open(true) };
    return new SqliteDriver({ session: ownSession(writer), ...reader, waitMs, info, close });
  };

  const backoff = new Backoff(performance.now() + waitMs);
  for (;;) {
    try {
      return prepare();
    } catch (error) {
      close();
      if (!isBusy(error) || !(await backoff.pause())) throw openingFault(error, filename);
    }
  }
}

async function createFolder(filename: string): Promise<void> {
  try {
    await mkdir(dirname(filename), { recursive: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StorageError(
      'unavailable',
      `The folder of the SQLite file ${resolve(filename)} cannot be created: ${reason}. Create it for the user of this process, or give another filename.`,
      { cause },
    );
  }
}

function configure(writer: SqliteHandle, synchronous: SqliteSynchronous, inMemory: boolean): void {
  const mode = writer.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal' && !inMemory) {
    throw new StorageError('unavailable', `SQLite refused WAL mode for this file and stayed with "${mode}".`);
  }
  writer.pragma(`synchronous = ${synchronous}`);
  writer.pragma('foreign_keys = ON');
  // The large log file must not stay forever after a reader has blocked checkpoints.
  writer.pragma('journal_size_limit = 67108864');
  // 16 MB of log between two checkpoints instead of 4: each checkpoint writes a page once, regardless of how often it changed.
  writer.pragma('wal_autocheckpoint = 4000');
}

function versionOf(handle: SqliteHandle): string {
  const [row] = handle.prepare('select sqlite_version() as version').all() as { version: string }[];
  return row?.version ?? 'unknown';
}
