// Translates errors of better-sqlite3 into errors of the storage port. Recognises them by `code`, so that errors of another copy
// of the driver match.
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StorageError, type StorageFault } from '../../core/contract/ports/storage.ts';

const faults: readonly (readonly [prefix: string, fault: StorageFault])[] = [
  ['SQLITE_CONSTRAINT_UNIQUE', 'unique'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'unique'],
  ['SQLITE_CONSTRAINT_ROWID', 'unique'],
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_IOERR_SHMSIZE', 'full'],
  ['SQLITE_READONLY', 'unavailable'],
  ['SQLITE_CANTOPEN', 'unavailable'],
  ['SQLITE_IOERR', 'unavailable'],
  ['SQLITE_PROTOCOL', 'unavailable'],
];

const explanations: Partial<Record<StorageFault, string>> = {
  busy: 'Another connection has locked the SQLite database',
  full: 'The disk of the SQLite database is full, nothing of this transaction was stored',
  unavailable: 'The SQLite database cannot be read or written',
};

const unbuilt =
  process.versions.bun === undefined
    ? 'better-sqlite3 is installed, but its compiled part is missing or was built for another version of Node. Run: npm rebuild better-sqlite3 (from Node 22 on, npm install better-sqlite3@13 needs no compiler)'
    : 'This better-sqlite3 does not load in Bun; version 13 and later do. Install better-sqlite3@13, or use PostgreSQL.';

/** Whether another connection has locked the database, so that waiting helps. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

/** `error` as a StorageError. A StorageError is returned unchanged. */
export function sqliteFault(error: unknown): StorageError {
  if (error instanceof Error && error.name === 'StorageError') return error as StorageError;
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  if (code === 'ERR_DLOPEN_FAILED' || message.startsWith('Could not locate the bindings file'))
    return new StorageError('other', unbuilt, { cause: error });
  const fault = faults.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'other';
  const explanation = explanations[fault];
  const table = fault === 'unique' ? /UNIQUE constraint failed: ([^.\s]+)\./.exec(message)?.[1] : undefined;
  return new StorageError(fault, explanation === undefined ? message : `${explanation}: ${message} (${code}).`, {
    cause: error,
    ...(table !== undefined && { table }),
  });
}

/** Why a file could not be opened: its path, the reason if it can be found, and the solution. */
export function openingFault(error: unknown, filename: string): StorageError {
  const code = codeOf(error);
  const opening = /^SQLITE_(?:CANTOPEN|READONLY|NOTADB)/.test(code) && filename !== ':memory:';
  const fault = sqliteFault(error);
  if (!opening) return fault;
  const path = resolve(filename);
  const obstacle = code === 'SQLITE_NOTADB' ? 'it is not a SQLite database. Give another filename' : obstacleAt(path);
  return new StorageError(fault.fault, `The SQLite file ${path} cannot be opened: ${obstacle} (${code}).`, {
    cause: error,
  });
}

function obstacleAt(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) return 'it is not a file. Give the path of a file as filename';
  const folder = dirname(path);
  const unwritable = [...(stats === undefined ? [] : [path]), folder].find((place) => !isWritable(place));
  // SQLite writes its log beside the file.
  return unwritable === undefined
    ? 'SQLite gives no reason. Check that this process may read and write the file, its folder, and the -wal and -shm files beside it'
    : `this process may not write ${unwritable === folder ? `the folder ${folder}` : 'it'}. Give its user the right, or another filename`;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
