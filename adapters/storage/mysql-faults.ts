// Translates errors of mysql2 and of the server into errors of the storage port. Recognises them by numbers and by Node's codes,
// never by class. https://mariadb.com/kb/en/mariadb-error-code-reference/
import { StorageError, type StorageFault } from '../../core/contract/ports/storage.ts';

const numbers: Readonly<Record<StorageFault, readonly number[]>> = {
  unique: [1022, 1062, 1586, 1859],
  deadlock: [1020, 1213],
  // Lock wait timeout, NOWAIT, killed by a time limit.
  busy: [1205, 1317, 1907, 1969, 3024, 3572],
  full: [1021, 1041, 1114, 1118],
  unavailable: [
    // Too many connections or prepared statements, refused accounts, missing rights, shutting down, lost connections,
    // read-only servers.
    1040, 1043, 1044, 1045, 1049, 1053, 1129, 1130, 1142, 1143, 1152, 1154, 1156, 1157, 1158, 1159, 1160, 1161, 1184,
    1203, 1226, 1290, 1461, 1792, 1836, 1927, 1928, 1929, 3159, 4031,
  ],
  handler_awaited_outside: [],
  handle_revoked: [],
  other: [],
};

const faultsByNumber = new Map(
  Object.entries(numbers).flatMap(([fault, list]) => list.map((number) => [number, fault as StorageFault] as const)),
);

/** After these errors the server has closed the connection, or is about to. */
const closingNumbers = new Set([1053, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 1928, 1929, 4031]);

/** Errors that mysql2 itself reports. */
const lostConnection =
  /closed state|connection lost|queue limit reached|no connections available|inactivity timeout|pool is closed|read ECONNRESET|packets out of/i;

/** A deadlock and a full lock table roll back the whole transaction, not only the statement. */
const endsTransaction = new Set([1020, 1206, 1213, 1614]);

interface ErrorParts {
  readonly number: number | undefined;
  readonly code: string;
  readonly message: string;
  readonly sql: string;
}

function partsOf(error: unknown): ErrorParts {
  const { errno, code, sql } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return {
    // Node gives its own errors negative numbers.
    number: typeof errno === 'number' && errno > 0 ? errno : undefined,
    code: typeof code === 'string' ? code : '',
    message: error instanceof Error ? error.message : String(error),
    sql: typeof sql === 'string' ? sql : '',
  };
}

/** `error` as a StorageError. A StorageError is returned unchanged. Neither the result nor its cause contains values of rows. */
export function mysqlFault(error: unknown, sql?: string): StorageError {
  if (error instanceof Error && error.name === 'StorageError') return error as StorageError;
  const parts = partsOf(error);
  const fault = faultOf(parts);
  const table = fault === 'unique' ? writtenTable(sql ?? parts.sql) : undefined;
  const message = sentence(fault, parts);
  return new StorageError(fault, message, {
    cause: causeOf(error, parts, message),
    ...(table !== undefined && { table }),
  });
}

/** The error for a connection whose updates count changed rows only. */
export function countsChangedRows(): StorageError {
  return new StorageError(
    'other',
    "The connection was made with the flag -FOUND_ROWS, so that an UPDATE counts altered rows only. Leave the flag as mysql2 sets it: take it out of the pool's `flags`.",
  );
}

/** Whether the connection cannot be used again after this error. */
export function breaksConnection(error: unknown): boolean {
  const { number } = partsOf(error);
  return number === undefined ? !isRefusedParameter(error) : closingNumbers.has(number);
}

/** Whether the server has no prepared statement left (max_prepared_stmt_count). The statement was not run. */
export function exhaustsPreparedStatements(error: unknown): boolean {
  const { cause } = Object(error) as { readonly cause?: unknown };
  return partsOf(error).number === 1461 || partsOf(cause).number === 1461;
}

/** Whether the server has rolled back the whole transaction. */
export function rolledBack(error: unknown): boolean {
  const { number } = partsOf(error);
  return number !== undefined && endsTransaction.has(number);
}

/** mysql2 throws these before it sends anything. */
function isRefusedParameter(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}

function faultOf({ number, code, message }: ErrorParts): StorageFault {
  if (number !== undefined) return faultsByNumber.get(number) ?? 'other';
  return /^(?:E[A-Z_]+|PROTOCOL_[A-Z_]+|POOL_[A-Z_]+|HANDSHAKE_[A-Z_]+)$/.test(code) || lostConnection.test(message)
    ? 'unavailable'
    : 'other';
}

function sentence(fault: StorageFault, { number, code, message }: ErrorParts): string {
  if (fault === 'unique') return `A row with the same unique key exists already (${number}).`;
  if (fault === 'unavailable') return `The database cannot be reached or refuses to work: ${message || code}.`;
  return number === undefined ? message : `${withoutValues(message)} (${number})`;
}

/** Removes values of rows, which some of the server's messages quote. Names of tables and columns are kept. */
function withoutValues(message: string): string {
  return message.replace(/\b(value|values|entry|string|query|near)(:?) '.*'/is, "$1$2 '…'");
}

/** Keeps only the number and the code of the original error, because its message and its SQL quote values. */
function causeOf(error: unknown, { number, code }: ErrorParts, message: string): unknown {
  if (number === undefined) return error;
  return Object.assign(new Error(message), { code, errno: number });
}

const tablePattern =
  /^\s*(?:insert\s+(?:ignore\s+)?into|replace\s+into|update)\s+(?:`[^`]*`\s*\.\s*)?(?:`([^`]+)`|([\w$]+))/i;

/** MariaDB does not name the table of a violated key, so it is taken from the statement. */
function writtenTable(sql: string): string | undefined {
  const [, quoted, unquoted] = tablePattern.exec(sql) ?? [];
  return quoted ?? unquoted;
}
