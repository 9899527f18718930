// Checks that values are safe with a driver that writes them into the text of a statement. Kysely's driver for MySQL does
// that, and escapes with backslashes in every SQL mode. Used for Kysely instances and transactions of the program.
import { StorageError } from './storage.ts';

/** @throws StorageError if the SQL mode ignores backslashes: a value could then end its quotes and become SQL */
export function assertBackslashEscapes(rows: readonly Record<string, unknown>[]): void {
  const mode = rows[0]?.['sql_mode'];
  if (typeof mode === 'string' && !mode.includes('NO_BACKSLASH_ESCAPES')) return;
  throw new StorageError(
    'other',
    "The session's sql_mode has NO_BACKSLASH_ESCAPES, and Kysely's driver escapes values with backslashes: they could become SQL. Take NO_BACKSLASH_ESCAPES out of the sql_mode, or give mysqlStorage the mysql2 pool and pass mysql2 connections as trx.",
  );
}
