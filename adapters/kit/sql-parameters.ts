// Checks which statements and parameters are allowed, before a driver receives them and in the same way for every database.
// Called by the storage adapters for every statement; knows no SDK.
import { type SqlStatement, StorageError, shorten } from '../../core/contract/ports/storage.ts';

const transactionControl =
  /^\s*(?:begin|start\s+transaction|commit|end|abort|rollback(?!\s+(?:transaction\s+)?to\b))\b/i;
const savepointControl = /^\s*(?:savepoint|release|rollback)\b/i;

/** Whether the text begins or ends a transaction, uses a savepoint inside one, or is an ordinary statement (undefined). */
export function controlOf(sql: string): 'transaction' | 'savepoint' | undefined {
  if (transactionControl.test(sql)) return 'transaction';
  return savepointControl.test(sql) ? 'savepoint' : undefined;
}

/** The error for BEGIN, COMMIT and ROLLBACK on a connection whose transaction the adapter or the program ends. */
export function controlRefused(sql: string): StorageError {
  return new StorageError(
    'other',
    `"${shorten(sql)}" was refused: a transaction is begun and ended by its owner only. Return from the work to commit, throw to roll back.`,
  );
}

/** @throws StorageError for a parameter that drivers bind differently */
export function checkParameters({ sql, parameters }: SqlStatement): void {
  for (let index = 0; index < parameters.length; index += 1) {
    const value = parameters[index];
    const type = typeof value;
    if (type === 'string' || type === 'bigint' || value === null) continue;
    if (type === 'number' ? Number.isFinite(value) : value instanceof Uint8Array) continue;
    throw new StorageError(
      'other',
      `Parameter ${index + 1} of "${shorten(sql)}" is ${describe(value)}. Only strings, finite numbers, bigints, bytes and null can be stored: write a boolean as 0 or 1, a date as milliseconds, and leave nothing undefined.`,
    );
  }
}

function describe(value: unknown): string {
  if (value === undefined || typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return 'a boolean';
  if (value instanceof Date) return 'a Date';
  return `a value of type ${typeof value}`;
}
