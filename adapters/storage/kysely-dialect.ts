// The differences between the dialects of a program's Kysely instance: statements in the form of its driver, faults, locks, the
// beginning of a transaction. Called by the Kysely driver; sends nothing.

import { CompiledQuery } from 'kysely';
import { assertBackslashEscapes } from '../../core/contract/ports/mysql-escaping.ts';
import { assertUsableSession, sessionSettingsQuery } from '../../core/contract/ports/mysql-session.ts';
import { type SqlDialect, type SqlStatement, StorageError } from '../../core/contract/ports/storage.ts';
import type { SessionLimits } from '../kit/session-limits.ts';
import { breaksConnection as breaksMysql, mysqlFault, rolledBack } from './mysql-faults.ts';
import { lockExpression, lockName } from './mysql-locks.ts';
import { toCommand } from './mysql-statements.ts';
import { advisoryLock } from './postgres-driver.ts';
import { breaksConnection as breaksPostgres, postgresFault } from './postgres-faults.ts';
import { toQuery } from './postgres-statements.ts';

/** The required settings of a session. */
export interface KyselySession {
  readonly query: SqlStatement;
  /** @throws StorageError with the solution if the session's settings are unsafe */
  check(rows: readonly Record<string, unknown>[]): void;
}

/** One dialect. */
export interface KyselyDialect {
  /**
   * The statement in the driver's form, so that values are read as the port requires. @throws StorageError if the statement is
   * not allowed
   */
  compile(statement: SqlStatement): CompiledQuery;
  toStorageError(error: unknown, sql?: string): StorageError;
  breaksConnection(error: unknown): boolean;
  /** Whether the server itself has ended the transaction. */
  endsTransaction(error: unknown): boolean;
  /** Whether a transaction of the program still looks open after the server has ended it. */
  readonly mayEndUnnoticed: boolean;
  /** Sent as the first statement of a transaction. */
  beginning(limits: SessionLimits): SqlStatement | undefined;
  /** Takes a lock at once, or returns a column `taken` that is false. */
  lock(name: string): SqlStatement;
  /** Releases a lock after the transaction; undefined if the end of the transaction releases it. */
  unlock(name: string): SqlStatement | undefined;
  readonly settingsQuery: SqlStatement;
  /** Checked for each borrowed connection. Absent if no setting changes values. */
  readonly session?: KyselySession;
}

/** A text that also has options as its members. Kysely passes it on unchanged, and the SDK reads the options. */
function withOptions(text: string, options: object): string {
  return Object.assign(Object(text) as string, options);
}

/** The SDK runs the statements for transactions without options of its own. */
const plain = (sql: string, ...parameters: unknown[]): SqlStatement => ({ sql, parameters });

const postgres = (schema: string | undefined): KyselyDialect => ({
  compile(statement) {
    const query = toQuery(statement, { pipelined: false, preparedStatements: false, answerTimeoutMs: undefined });
    return CompiledQuery.raw(withOptions(query.text, { text: query.text, types: query.types }), query.values);
  },
  toStorageError: (error) => postgresFault(error),
  breaksConnection: breaksPostgres,
  endsTransaction: () => false,
  mayEndUnnoticed: false,
  beginning: ({ statementTimeoutMs, lockTimeoutMs }) =>
    plain(
      "select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)",
      String(statementTimeoutMs),
      String(lockTimeoutMs),
    ),
  lock: (name) => advisoryLock(name, schema),
  unlock: () => undefined,
  settingsQuery: plain(
    "select current_setting('server_version') as server_version, current_setting('synchronous_commit') as synchronous_commit, current_setting('search_path') as search_path",
  ),
});

/** ER_NET_PACKET_TOO_LARGE */
const packetTooLarge = 1153;

/** The server's message names the setting, but not that binary values take twice their size here. */
function withPacketSizeFault(faultOf: KyselyDialect['toStorageError']): KyselyDialect['toStorageError'] {
  return (error, sql) => {
    const fault = faultOf(error, sql);
    if ((fault.cause as { errno?: unknown } | undefined)?.errno !== packetTooLarge) return fault;
    return new StorageError(
      'other',
      "A statement was larger than the server's max_allowed_packet. Kysely's driver writes bytes as text of twice their size: set it to 32 MB for attachments of 10 MB, or give mysqlStorage the mysql2 pool.",
      { cause: fault.cause },
    );
  };
}

const mysql: KyselyDialect = {
  compile(statement) {
    const { sql, values, typeCast } = toCommand(statement, (value) => value, undefined);
    const options = { sql, typeCast, rowsAsArray: false, nestTables: false, namedPlaceholders: false };
    return CompiledQuery.raw(withOptions(sql, options), values);
  },
  toStorageError: withPacketSizeFault(mysqlFault),
  breaksConnection: breaksMysql,
  endsTransaction: rolledBack,
  mayEndUnnoticed: true,
  beginning: () => undefined,
  lock: (name) => plain(`select get_lock(${lockExpression(lockName(name))}, 0) as taken`),
  unlock: (name) => plain(`do release_lock(${lockExpression(lockName(name))})`),
  settingsQuery: plain(
    'select @@version as version, @@innodb_flush_log_at_trx_commit as innodb_flush_log_at_trx_commit',
  ),
  session: {
    query: sessionSettingsQuery,
    check(rows) {
      assertBackslashEscapes(rows);
      assertUsableSession(rows);
    },
  },
};

/** The dialects of a Kysely instance that are supported as storage. */
export const kyselyDialect = (dialect: Exclude<SqlDialect, 'sqlite'>, schema: string | undefined): KyselyDialect =>
  dialect === 'postgres' ? postgres(schema) : mysql;
