// Statements in mysql2's form: values are parsed the same way regardless of the program's settings on its pool, whole numbers are
// bound as whole numbers, bytes as Buffers. Knows no SDK and sends nothing.
import { type SqlResult, type SqlStatement, StorageError } from '../../core/contract/ports/storage.ts';
import { checkParameters, controlOf, controlRefused } from '../kit/sql-parameters.ts';

/** A statement with all options of mysql2 set, so that neither the program's settings nor its defaults apply. */
export interface MysqlCommand {
  readonly sql: string;
  readonly values: unknown[];
  readonly rowsAsArray: false;
  readonly nestTables: false;
  readonly namedPlaceholders: false;
  typeCast(field: { readonly type: string }, read: () => unknown): unknown;
  /** Milliseconds without a response after which mysql2 gives up. */
  readonly timeout?: number;
}

/** mysql2's result for a statement that is not a query. */
export interface MysqlHeader {
  readonly affectedRows: number;
  readonly serverStatus?: number;
}

/** Rows of a query, or the header of any other statement. */
export type MysqlResponse = readonly Record<string, unknown>[] | MysqlHeader;

/** Marks a whole number, so that it is not bound as a DOUBLE, which LIMIT rejects. Absent: mysql2's own binding. */
export type WholeNumber = (value: number | bigint) => unknown;

/** SERVER_STATUS_IN_TRANS of the protocol's status flags. https://dev.mysql.com/doc/dev/mysql-server/latest/ */
const inTransaction = 1;

const numeric = new Set(['DECIMAL', 'TINY', 'SHORT', 'LONG', 'FLOAT', 'DOUBLE', 'LONGLONG', 'INT24', 'NEWDECIMAL']);

/** Converts all numeric types to numbers: sums are DECIMALs, and the program may have configured large numbers as strings. */
function typeCast({ type }: { readonly type: string }, read: () => unknown): unknown {
  const value = read();
  return value !== null && numeric.has(type) ? Number(value) : value;
}

/** @throws StorageError if the statement ends a transaction, or has parameters that cannot be stored */
export function assertSendable(statement: SqlStatement): void {
  if (controlOf(statement.sql) === 'transaction') throw controlRefused(statement.sql);
  checkParameters(statement);
}

/** The command for a statement. @throws StorageError if the statement is not allowed */
export function toCommand(statement: SqlStatement, whole: WholeNumber, timeoutMs: number | undefined): MysqlCommand {
  assertSendable(statement);
  const values = statement.parameters.map((value) => bind(value, whole));
  return command(statement.sql, values, timeoutMs);
}

/** A text without parameters that the adapter itself sends. */
export function plainCommand(sql: string, timeoutMs?: number): MysqlCommand {
  return command(sql, [], timeoutMs);
}

function command(sql: string, values: unknown[], timeoutMs: number | undefined): MysqlCommand {
  return {
    sql,
    values,
    rowsAsArray: false,
    nestTables: false,
    namedPlaceholders: false,
    typeCast,
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  };
}

function bind(value: unknown, whole: WholeNumber): unknown {
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return whole(value as number | bigint);
  if (value instanceof Uint8Array && !Buffer.isBuffer(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return value;
}

const isHeader = (response: MysqlResponse): response is MysqlHeader => !Array.isArray(response);

/** mysql2's result in the port's form. */
export function toResult(response: MysqlResponse): SqlResult {
  return isHeader(response) ? { rows: [], changes: response.affectedRows } : { rows: response, changes: 0 };
}

/** @throws StorageError if the server reports that this statement ran outside of a transaction */
export function assertInTransaction(response: MysqlResponse): void {
  if (!isHeader(response) || response.serverStatus === undefined || (response.serverStatus & inTransaction) !== 0)
    return;
  throw new StorageError(
    'other',
    'The mysql2 connection has no open transaction: it was never begun, or a deadlock or a statement such as CREATE TABLE has ended it. Await BEGIN on it before the call and COMMIT after it. With Knex, pass the connection of the transaction: await trx.client.acquireConnection().',
  );
}
