// Begins and ends the adapter's transactions on a handle: its own writer, or a handle that the embedding program shares. On a
// shared handle, the adapter's settings apply only during its transaction; the program's settings are restored after it.
import { type SqlResult, StorageError } from '../../core/contract/ports/storage.ts';
import { isBusy, sqliteFault } from './sqlite-faults.ts';
import type { SqliteHandle, SqliteStatementHandle } from './sqlite-statements.ts';

/** When COMMIT returns. See the option of the same name. */
export type SqliteSynchronous = 'full' | 'normal';

/** Begins and ends the adapter's transactions on one handle. */
export interface SqliteSession {
  readonly handle: SqliteHandle;
  /**
   * Takes the write lock, or returns false at once if another connection has it. `shared`: transactions with their own savepoints
   * follow. `durable`: whether COMMIT waits for the disk, if the session is configured so. @throws StorageError
   */
  begin(shared: boolean, durable: boolean): boolean;
  /** @throws StorageError with the transaction rolled back */
  commit(): void;
  rollback(): void;
  /** Opens, keeps or undoes one member's part of a shared transaction. */
  savepoint(step: 'open' | 'keep' | 'undo'): void;
  /** Runs a read without waiting inside the driver. */
  reading(run: () => SqlResult): SqlResult;
  /** The settings for the adapter's commits. */
  describe(): Record<string, string | number>;
}

/** A session on the adapter's own connection. Its settings were applied when it was opened. */
export function ownSession(handle: SqliteHandle): SqliteSession {
  const control = prepareControl(handle);
  // A savepoint copies each page before its first change. From 64 kB on, SQLite writes these copies to a temporary file, which
  // takes longer than the changes themselves. All other temporary data, such as sorting for an index, stays in files, because it
  // may be large.
  let inMemory = false;
  const keepCopies = (inMemoryNow: boolean): void => {
    if (inMemoryNow === inMemory) return;
    handle.pragma(`temp_store = ${inMemoryNow ? 'MEMORY' : 'DEFAULT'}`);
    inMemory = inMemoryNow;
  };
  const configured = Number(handle.pragma('synchronous', { simple: true }));
  // The level NORMAL, or the configured level if that is lower. The level cannot change within a transaction.
  const withoutWait = Math.min(configured, 1);
  let synchronous = configured;
  const waitForDisk = (mustWait: boolean): void => {
    const level = mustWait ? configured : withoutWait;
    if (level === synchronous) return;
    handle.pragma(`synchronous = ${level}`);
    synchronous = level;
  };
  const ending = (end: () => void): void => {
    try {
      end();
    } finally {
      if (handle.open && !handle.inTransaction) keepCopies(false);
    }
  };
  return {
    handle,
    begin(shared, durable) {
      keepCopies(shared);
      waitForDisk(durable);
      return begin(control);
    },
    commit: () => ending(() => commit(handle, control)),
    rollback: () => ending(() => rollback(handle)),
    savepoint: (step) => savepoint(control, step),
    reading: (run) => run(),
    describe() {
      if (!handle.inTransaction) waitForDisk(true);
      return settingsOf(handle);
    },
  };
}

/** A session on the embedding program's own handle. */
export function sharedSession(handle: SqliteHandle, synchronous: SqliteSynchronous): SqliteSession {
  const control = prepareControl(handle);
  const readsMayBlock = handle.pragma('journal_mode', { simple: true }) !== 'wal' && !handle.memory;
  const savedSettings: [setting: string, value: number][] = [];

  const setTemporarily = (setting: string, newValue: number): void => {
    const value = Number(handle.pragma(setting, { simple: true }));
    if (value === newValue) return;
    savedSettings.push([setting, value]);
    handle.pragma(`${setting} = ${newValue}`);
  };
  const setForWriting = (durable = true): void => {
    setTemporarily('busy_timeout', 0);
    if (synchronous === 'full' && durable) setTemporarily('synchronous', 2);
  };
  const restoreSettings = (): void => {
    for (const [setting, value] of savedSettings.splice(0)) if (handle.open) handle.pragma(`${setting} = ${value}`);
  };

  return {
    handle,
    begin(_, durable) {
      assertOpen(handle);
      if (handle.inTransaction) return false;
      let hasBegun = false;
      try {
        setForWriting(durable);
        hasBegun = begin(control);
        return hasBegun;
      } finally {
        if (!hasBegun) restoreSettings();
      }
    },
    commit() {
      try {
        commit(handle, control);
      } finally {
        restoreSettings();
      }
    },
    rollback() {
      rollback(handle);
      restoreSettings();
    },
    savepoint: (step) => savepoint(control, step),
    reading(run) {
      assertOpen(handle);
      if (!readsMayBlock) return run();
      try {
        setTemporarily('busy_timeout', 0);
        return run();
      } finally {
        restoreSettings();
      }
    },
    describe() {
      assertOpen(handle);
      try {
        if (!handle.inTransaction) setForWriting();
        return settingsOf(handle);
      } finally {
        restoreSettings();
      }
    },
  };
}

interface Control {
  readonly begin: SqliteStatementHandle;
  readonly commit: SqliteStatementHandle;
  readonly open: SqliteStatementHandle;
  readonly keep: SqliteStatementHandle;
  readonly undo: SqliteStatementHandle;
}

function prepareControl(handle: SqliteHandle): Control {
  return {
    begin: handle.prepare('BEGIN IMMEDIATE'),
    commit: handle.prepare('COMMIT'),
    open: handle.prepare('SAVEPOINT postrider_member'),
    keep: handle.prepare('RELEASE postrider_member'),
    undo: handle.prepare('ROLLBACK TO postrider_member'),
  };
}

function savepoint(control: Control, step: 'open' | 'keep' | 'undo'): void {
  control[step].run();
  if (step === 'undo') control.keep.run();
}

function assertOpen(handle: SqliteHandle): void {
  if (!handle.open) throw new StorageError('unavailable', 'The better-sqlite3 handle that was passed has been closed.');
}

function begin(control: Control): boolean {
  try {
    control.begin.run();
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw sqliteFault(error);
  }
}

function commit(handle: SqliteHandle, control: Control): void {
  try {
    control.commit.run();
  } catch (error) {
    rollback(handle);
    throw sqliteFault(error);
  }
}

/** SQLite may already have rolled back by itself (a full disk, an I/O error). */
function rollback(handle: SqliteHandle): void {
  if (handle.open && handle.inTransaction) handle.exec('ROLLBACK');
}

function settingsOf(handle: SqliteHandle): Record<string, string | number> {
  const names = ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'] as const;
  const settings = names.map((name) => [name, handle.pragma(name, { simple: true }) as string | number]);
  return Object.fromEntries(settings);
}
