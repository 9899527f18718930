// Translates errors of better-sqlite3 into those of the storage port. Recognised by `code`, so that errors of another
// copy of the driver match.
import type { StorageFault } from '../../core/contract/ports/storage.ts';
import { StorageError } from '../../core/contract/ports/storage.ts';

const faults: readonly (readonly [prefix: string, fault: StorageFault])[] = [
  ['SQLITE_CONSTRAINT_UNIQUE', 'unique'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'unique'],
  ['SQLITE_CONSTRAINT_ROWID', 'unique'],
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY', 'unavailable'],
  ['SQLITE_CANTOPEN', 'unavailable'],
  ['SQLITE_IOERR', 'unavailable'],
  ['SQLITE_PROTOCOL', 'unavailable'],
];

const explanations: Partial<Record<StorageFault, string>> = {
  busy: 'Another connection holds the SQLite database',
  full: 'The disk of the SQLite database is full, nothing of this transaction was stored',
  unavailable: 'The SQLite database cannot be read or written',
};

const unbuilt =
  'better-sqlite3 is installed, but its compiled part is missing or was built for another version of Node. Run: npm rebuild better-sqlite3';

/** Whether another connection holds the database, so that waiting helps. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

/** `error` as a StorageError; a StorageError is answered unchanged. */
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

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}
