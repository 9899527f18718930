// Translates errors of pg and of Postgres into errors of the storage port. Recognises them by SQLSTATE and by Node's codes, never
// by class.
import { StorageError, type StorageFault } from '../../core/contract/ports/storage.ts';

/** SQLSTATE prefixes, the longer first. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const faults: readonly (readonly [prefix: string, fault: StorageFault])[] = [
  ['23505', 'unique'],
  ['40P01', 'deadlock'],
  ['40001', 'deadlock'],
  // The name of a prepared statement is unknown or in use. The transaction is rolled back and can be retried, as after a
  // deadlock.
  ['26000', 'deadlock'],
  ['42P05', 'deadlock'],
  ['55P03', 'busy'],
  ['57014', 'busy'],
  ['53100', 'full'],
  ['53', 'unavailable'],
  ['57P', 'unavailable'],
  ['08', 'unavailable'],
  ['25P03', 'unavailable'],
  ['25006', 'unavailable'],
  ['28', 'unavailable'],
  // Missing rights. The statement is not at fault, and a database whose tables this role cannot see is not empty.
  ['42501', 'unavailable'],
  ['3D000', 'unavailable'],
];

/** Errors that pg itself reports, without a code. */
const lostConnection =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|not queryable|query read timeout|cannot use a pool after/i;

const preparedLost = new Set(['26000', '42P05']);

/** Whether the name of a prepared statement is unknown, or in use by another session. The statement was not run. */
export const losesStatementName = (error: unknown): boolean => preparedLost.has(partsOf(error).code);

/** `error` as a StorageError. A StorageError is returned unchanged. Values of rows are removed from the cause. */
export function postgresFault(error: unknown): StorageError {
  if (error instanceof Error && error.name === 'StorageError') return error as StorageError;
  const { code, table, message } = partsOf(error);
  const fault = faultOf(code, message);
  return new StorageError(fault, sentence(fault, code, message), {
    cause: withoutValues(error),
    ...(fault === 'unique' && table !== undefined && { table }),
  });
}

/** Whether the connection cannot be used again after this error. */
export function breaksConnection(error: unknown): boolean {
  const { code, severity } = partsOf(error);
  return !isSqlState(code) || severity === 'FATAL' || severity === 'PANIC' || /^(?:08|57P0[1-3])/.test(code);
}

interface ErrorParts {
  readonly code: string;
  readonly message: string;
  readonly severity: string | undefined;
  readonly table: string | undefined;
}

function partsOf(error: unknown): ErrorParts {
  const { code, table, severity } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  return {
    code: typeof code === 'string' ? code : '',
    message: error instanceof Error ? error.message : String(error),
    severity: typeof severity === 'string' ? severity : undefined,
    table: typeof table === 'string' ? table : undefined,
  };
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code);
}

function faultOf(code: string, message: string): StorageFault {
  if (isSqlState(code)) return faults.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'other';
  return /^E[A-Z_]+$/.test(code) || lostConnection.test(message) ? 'unavailable' : 'other';
}

function sentence(fault: StorageFault, code: string, message: string): string {
  if (preparedLost.has(code)) {
    return `${message} (${code}). There is a pooler in between, such as pgbouncer before 1.21: statements are sent without names from now on. Nothing was stored: try again, or set preparedStatements to false from the start.`;
  }
  if (code === '42501')
    return `Postgres refuses this role: ${message} (42501). docs/databases.md lists the rights that it needs.`;
  if (message.includes('unsupported startup parameter: options'))
    return 'A pooler in front of Postgres refuses the start-up parameter that sets the schema. Give postgresStorage your own pool with the schema: { pool, schema }.';
  if (fault === 'unavailable') return `Postgres cannot be reached or refuses to work: ${message || code}.`;
  return isSqlState(code) ? `${message} (${code})` : message;
}

/** Removes `detail` and `where`, because they quote rows and parameters, which must not reach a log. */
function withoutValues(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) {
    for (const property of ['detail', 'where', 'internalQuery']) {
      if (property in error) Reflect.set(error, property, undefined);
    }
  }
  return error;
}
