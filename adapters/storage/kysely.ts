// PostgreSQL, MariaDB or MySQL through the embedding program's own Kysely instance: its pool, its connections. Sends nothing
// before open().

import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { type SqlDialect, type StorageAdapter, StorageError } from '../../core/contract/ports/storage.ts';
import { sessionLimits } from '../kit/session-limits.ts';
import { assertCountsFound } from './kysely-counts.ts';
import { kyselyDialect } from './kysely-dialect.ts';
import { isInstance, KyselyDriver, type KyselyInstance } from './kysely-driver.ts';
import { assertUsablePostgres, postgresSettingsQuery } from './postgres-session.ts';

/** A Kysely instance of any schema, from any copy and any version since 0.28.18. */
export type KyselySource = Pick<KyselyInstance, 'isTransaction'> & { getExecutor(): { readonly adapter: object } };

export interface KyselyOptions {
  /** The dialect of the instance. (Default: recognised by its adapter) */
  readonly dialect?: 'postgres' | 'mysql';
  /**
   * The Postgres schema of the service's tables. Statements name it, regardless of the search_path of the program's connections.
   * It must exist. (Default: the search_path of the connections)
   */
  readonly schema?: string;
  /** Milliseconds to wait for a free connection if a call sets no limit. (Default: 10000) */
  readonly waitMs?: number;
  /**
   * Milliseconds that a statement of a transaction may take on Postgres. On every database the call rejects at most 5 s later.
   * The statement is not canceled, and its connection is kept until the database has responded. 0 means no limit. (Default:
   * 30000)
   */
  readonly statementTimeoutMs?: number;
  /** Milliseconds that a statement may wait for a row lock on Postgres. 0 means no limit. (Default: 10000) */
  readonly lockTimeoutMs?: number;
}

/**
 * The program's Kysely instance as storage. Its plugins are not applied, and it is never destroyed. LISTEN is not used: processes
 * find each other's jobs by polling. On MySQL, sessions whose settings change values are refused (docs/databases.md): open() and
 * every call throw a StorageError `other`. @throws RangeError for SQLite and for unknown dialects
 */
export function kyselyStorage(db: KyselySource, options: KyselyOptions = {}): StorageAdapter {
  checkOptions<KyselyOptions>('kyselyStorage', options, {
    dialect: 'optional',
    schema: 'optional',
    waitMs: 'optional',
    statementTimeoutMs: 'optional',
    lockTimeoutMs: 'optional',
  });
  if (!isInstance(db)) throw new RangeError('kyselyStorage takes a Kysely instance, made by new Kysely({ dialect }).');
  const dialect = options.dialect ?? dialectOf(db);
  const { schema } = options;
  if (schema !== undefined && (dialect !== 'postgres' || !/^[a-z_][a-z0-9_]{0,62}$/.test(schema))) {
    throw new RangeError(
      `"${schema}" cannot be the schema: on Postgres, use lower-case letters, digits and underscores.`,
    );
  }
  const limits = sessionLimits(options);
  const isPostgres = dialect === 'postgres';
  const kyselyDialectOf = kyselyDialect(dialect, schema);
  return {
    id: 'kysely',
    dialect,
    capabilities: {
      sharedCommits: false,
      skipLocked: true,
      locks: isPostgres ? 'transaction' : 'session',
      notifies: isPostgres,
    },
    ...(schema !== undefined && { schema }),
    async open() {
      const driver = new KyselyDriver(
        db,
        kyselyDialectOf,
        limits,
        { driver: 'kysely', shared_pool: 1 },
        isPostgres ? 'select pg_notify($1, $2)' : undefined,
      );
      await driver.read(async (connection) => {
        if (!isPostgres) return assertCountsFound(connection);
        const { rows } = await connection.query({ sql: postgresSettingsQuery, parameters: [] });
        assertUsablePostgres(rows, schema);
      });
      const { rows } = await driver.read((connection) =>
        connection.query({ sql: isPostgres ? 'select 5::int8 as whole' : 'select sum(5) as whole', parameters: [] }),
      );
      if (rows[0]?.['whole'] === 5) return driver;
      throw new StorageError(
        'other',
        `The driver of this Kysely instance returns 64-bit integers in an unsupported form: only Kysely's ${isPostgres ? 'PostgresDialect on pg' : 'MysqlDialect on mysql2'} is supported.`,
      );
    },
  };
}

/** Recognised by the capabilities that the dialect's adapter reports, because classes differ between copies. */
function dialectOf(db: KyselyInstance): Exclude<SqlDialect, 'sqlite'> {
  const { supportsReturning, supportsTransactionalDdl } = db.getExecutor().adapter as Record<string, unknown>;
  if (supportsReturning === true && supportsTransactionalDdl === true) return 'postgres';
  if (supportsReturning === false && supportsTransactionalDdl === false) return 'mysql';
  if (supportsReturning === true)
    throw new RangeError(
      'On SQLite, give the handle that the dialect works on: sqliteStorage({ database }). Kysely and the service then share one connection, and Kysely transactions can be joined.',
    );
  throw new RangeError(
    'The dialect of this Kysely instance is not known: pass { dialect } if it is Postgres or MySQL.',
  );
}
