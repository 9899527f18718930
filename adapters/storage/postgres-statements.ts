// Statements in pg's form: values are parsed the same way regardless of the program's parsers, prepared statements get names, and
// several writes are merged into one statement. Knows no SDK and sends nothing.
import { createHash } from 'node:crypto';
import { type SqlResult, type SqlStatement, StorageError } from '../../core/contract/ports/storage.ts';
import { checkParameters, controlOf, controlRefused } from '../kit/sql-parameters.ts';

/** A statement with all options of pg's `client.query`. */
export interface PostgresQuery {
  readonly text: string;
  readonly values: unknown[];
  readonly name?: string;
  readonly types: { getTypeParser(oid: number, format?: string): (value: string) => unknown };
  /** Milliseconds after which pg abandons the connection. */
  readonly query_timeout?: number;
}

/** The part of pg's result that is used. */
export interface PostgresResponse {
  readonly rows: Record<string, unknown>[];
  readonly rowCount: number | null;
  readonly command: string;
}

const asText = (value: string): string => value;

const bytea = (value: string): Buffer => {
  if (value.startsWith('\\x')) return Buffer.from(value.slice(2), 'hex');
  throw new StorageError('other', 'Postgres is set to bytea_output = escape: set it to hex for this role or database.');
};

/** Parsers by type OID: int8, int2, int4, oid, float4, float8, numeric (sums of int8) become numbers. */
const parsers = new Map<number, (value: string) => unknown>([
  [16, (value) => value === 't'],
  [17, bytea],
  ...[20, 21, 23, 26, 700, 701, 1700].map((oid) => [oid, Number] as const),
]);

/** Passed with every query of the adapter, so that neither the program's parsers nor pg's defaults apply. */
const types = {
  getTypeParser(oid: number, format?: string): (value: string) => unknown {
    if (format !== 'binary') return parsers.get(oid) ?? asText;
    throw new StorageError('other', 'This pg client has the option `binary`, which is not supported: remove it.');
  },
};

const names = new Map<string, string>();
/**
 * The maximum number of names, because a server keeps every prepared statement of a connection. Beyond it, statements are sent as
 * text.
 */
const keptNames = 2000;

/** One name for each text, the same in every process, because a pooler may give one server connection to several processes. */
function nameOf(text: string): string | undefined {
  const existing = names.get(text);
  if (existing !== undefined || names.size >= keptNames) return existing;
  const name = `postrider_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
  names.set(text, name);
  return name;
}

/** How statements are sent. */
export interface PostgresSendOptions {
  /** Whether the client sends a statement before the response to the previous one (pg's pipeline mode). */
  readonly pipelined: boolean;
  readonly preparedStatements: boolean;
  readonly answerTimeoutMs: number | undefined;
  /** How long a transaction waits for the response to its BEGIN. (Default: `answerTimeoutMs`) */
  readonly beginTimeoutMs?: number;
  /**
   * Called if the name of a prepared statement belongs to another session or is unknown, which means that there is a pooler in
   * between.
   */
  readonly onNameLost?: () => void;
}

/** The statement in pg's form. @throws StorageError if it is not allowed */
export function toQuery(statement: SqlStatement, options: PostgresSendOptions): PostgresQuery {
  if (controlOf(statement.sql) === 'transaction') throw controlRefused(statement.sql);
  checkParameters(statement);
  const name = statement.hot === true && options.preparedStatements ? nameOf(statement.sql) : undefined;
  return {
    text: statement.sql,
    values: statement.parameters as unknown[],
    types,
    ...(name !== undefined && { name }),
    ...(options.answerTimeoutMs !== undefined && { query_timeout: options.answerTimeoutMs }),
  };
}

/** A text without parameters that the adapter itself sends: BEGIN, COMMIT, ROLLBACK. */
export function plainQuery(text: string, answerTimeoutMs?: number): PostgresQuery {
  return { text, values: [], types, ...(answerTimeoutMs !== undefined && { query_timeout: answerTimeoutMs }) };
}

/** pg's result in the port's form. */
export function toResult({ rows, rowCount, command }: PostgresResponse): SqlResult {
  return { rows, changes: command === 'SELECT' ? 0 : (rowCount ?? 0) };
}
