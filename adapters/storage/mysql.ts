// MariaDB and MySQL through mysql2: the adapter's own pool, or the program's. The only file that imports mysql2. Does not connect
// before open().

import mysql from 'mysql2';
import type { Pool as PromisePool } from 'mysql2/promise';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import type { StorageAdapter, StorageDriver } from '../../core/contract/ports/storage.ts';
import { checkConnectionUrl } from '../kit/connection-url.ts';
import { checkPool } from '../kit/pool-work.ts';
import { type SessionLimits, sessionLimits } from '../kit/session-limits.ts';
import type { MysqlClient } from './mysql-connection.ts';
import { MysqlDriver, type MysqlPool, type MysqlPoolClient } from './mysql-driver.ts';
import type { WholeNumber } from './mysql-statements.ts';

/** The location of the database, in mysql2's terms. The database itself must exist. */
export interface MysqlConnectionSource {
  /** Such as `mysql://user:password@host:port/database`. */
  readonly uri?: string;
  readonly host?: string;
  readonly port?: number;
  readonly socketPath?: string;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  /** TLS, in mysql2's terms. (Default: none) */
  readonly ssl?: NonNullable<mysql.PoolOptions['ssl']>;
  /** The maximum number of connections. (Default: 10) */
  readonly maxConnections?: number;
}

/** The program's own mysql2 pool, of `mysql2` or of `mysql2/promise`. It is neither closed nor changed. */
export interface MysqlPoolSource {
  readonly pool: mysql.Pool | PromisePool;
}

export interface MysqlOptions {
  /** Milliseconds to wait for a free connection if a call sets no limit. (Default: 10000) */
  readonly waitMs?: number;
  /** Milliseconds to wait for the server when connecting; own pools only. (Default: 5000) */
  readonly connectTimeoutMs?: number;
  /**
   * Milliseconds that a statement may take; the network gets 5 s more, then its connection is closed. On the adapter's own pools
   * the server also enforces the limit: MariaDB for every statement, MySQL for queries. 0 means no limit. (Default: 30000)
   */
  readonly statementTimeoutMs?: number;
  /**
   * Milliseconds that a statement may wait for another transaction's row lock, rounded to whole seconds on the server. Own pools
   * only; the program's pool keeps its own limit. 0 means no limit. (Default: 10000)
   */
  readonly lockTimeoutMs?: number;
  /**
   * Milliseconds after which MariaDB ends a transaction that does nothing; own pools only. 0 means no limit. (Default:
   * 60000)
   */
  readonly idleInTransactionTimeoutMs?: number;
}

/** MariaDB from 10.6 and MySQL from 8.0.17 as storage. @throws RangeError if the uri, the pool or a limit is invalid */
export function mysqlStorage(
  source: MysqlConnectionSource | MysqlPoolSource,
  options: MysqlOptions = {},
): StorageAdapter {
  checkOptions<MysqlConnectionSource | MysqlPoolSource>('mysqlStorage', source, {
    uri: 'either',
    host: 'either',
    socketPath: 'either',
    pool: 'either',
    port: 'optional',
    user: 'either',
    password: 'optional',
    database: 'either',
    ssl: 'optional',
    maxConnections: 'optional',
  });
  checkOptions<MysqlOptions>('mysqlStorage', options, {
    waitMs: 'optional',
    connectTimeoutMs: 'optional',
    statementTimeoutMs: 'optional',
    lockTimeoutMs: 'optional',
    idleInTransactionTimeoutMs: 'optional',
  });
  if ('pool' in source) checkPool('mysqlStorage', source.pool, 'mysql2', ['getConnection', 'query']);
  const limits = sessionLimits(options);
  if ('uri' in source && source.uri)
    checkConnectionUrl('mysqlStorage: uri', source.uri, 'mysql://user:password@host:3306/database');
  return {
    id: 'mysql',
    dialect: 'mysql',
    capabilities: { sharedCommits: false, skipLocked: true, locks: 'session', notifies: false },
    open: async () =>
      'pool' in source
        ? new MysqlDriver({
            pool: lendingFrom(callbackForm(source.pool)),
            limits,
            session: [],
            wholeNumberOn,
            info: { driver: 'mysql2', shared_pool: 1 },
            close: async () => undefined,
          })
        : openOwn(source, limits, options.connectTimeoutMs ?? 5000),
  };
}

function openOwn(source: MysqlConnectionSource, limits: SessionLimits, connectTimeout: number): StorageDriver {
  const { maxConnections, uri, ...connection } = source;
  const connectionLimit = maxConnections ?? 10;
  const pool = mysql.createPool({
    ...connection,
    ...(uri !== undefined && { uri }),
    connectionLimit,
    connectTimeout,
    charset: 'utf8mb4',
    // The writes of a transaction and its COMMIT are sent in one text.
    multipleStatements: true,
    enableKeepAlive: true,
    keepAliveInitialDelay: 10_000,
    // A session keeps its settings and its prepared statements when it is returned to the pool.
    resetOnRelease: false,
    maxPreparedStatements: 300,
  });
  return new MysqlDriver({
    pool: lendingFrom(pool),
    limits,
    session: sessionOf(limits),
    quote: (text) => mysql.escape(text),
    wholeNumberOn,
    info: { driver: 'mysql2', shared_pool: 0, max_connections: connectionLimit },
    close: () =>
      new Promise((resolve) => {
        pool.end(() => resolve());
      }),
  });
}

/**
 * The settings of a session. MariaDB runs the text of an M comment, MySQL that of a version comment, so that each gets its own
 * limits.
 */
function sessionOf(limits: SessionLimits): readonly string[] {
  const seconds = (ms: number): number => Math.ceil(ms / 1000);
  const lockSeconds = limits.lockTimeoutMs === 0 ? 31_536_000 : seconds(limits.lockTimeoutMs);
  return [
    // Settings that an init_connect of the server may have changed.
    'set names utf8mb4',
    'set session transaction isolation level read committed, read write',
    [
      "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
      'sql_select_limit = default',
      'sql_safe_updates = 0',
      'sql_big_selects = 1',
      'unique_checks = 1',
      'completion_type = 0',
      'max_sort_length = 1024',
      `innodb_lock_wait_timeout = ${lockSeconds}`,
      `autocommit = 1 /*M! , max_statement_time = ${limits.statementTimeoutMs / 1000}`,
      `idle_transaction_timeout = ${seconds(limits.idleInTransactionTimeoutMs)} */ /*!80000 , max_execution_time = ${limits.statementTimeoutMs} */`,
    ].join(', '),
  ];
}

/**
 * Marks a whole number for mysql2. A connection of another copy of mysql2 would treat the mark as JSON, so it gets unmarked
 * numbers.
 */
function wholeNumberOn(client: MysqlClient): WholeNumber {
  return client instanceof mysql.Connection ? (value) => mysql.TypedParameter.LONGLONG(value) : (value) => value;
}

function callbackForm(pool: mysql.Pool | PromisePool): mysql.Pool {
  return 'pool' in pool ? (pool.pool as mysql.Pool) : pool;
}

/** mysql2's declared result type is narrower than its actual results here. */
function lendingFrom(pool: mysql.Pool): MysqlPool {
  return {
    getConnection(onConnection) {
      pool.getConnection((error, connection) => onConnection(error, connection as unknown as MysqlPoolClient));
    },
    events: pool,
  };
}
