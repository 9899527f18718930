// PostgreSQL through pg: the adapter's own pool, or the program's. The only file that imports pg. Does not connect before open().

import pg from 'pg';
import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { type StorageAdapter, type StorageDriver, StorageError } from '../../core/contract/ports/storage.ts';
import { checkConnectionUrl } from '../kit/connection-url.ts';
import { borrow, checkPool } from '../kit/pool-work.ts';
import { type SessionLimits, sessionLimits } from '../kit/session-limits.ts';
import type { PostgresPoolClient } from './postgres-connection.ts';
import { PostgresDriver, type PostgresDriverParts } from './postgres-driver.ts';
import { postgresFault } from './postgres-faults.ts';
import { detectPooler, noticeOf } from './postgres-pooler.ts';
import { assertUsablePostgres } from './postgres-session.ts';

/** The location of the database, in pg's terms. Without a connection string, the PG… environment variables apply. */
export interface PostgresConnectionSource {
  /** Such as `postgres://user:password@host:port/database`. */
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  /**
   * A function is called for each new connection, for a password that changes. Overrides the password of the connection string.
   */
  readonly password?: string | (() => string | Promise<string>);
  readonly database?: string;
  /**
   * TLS, in pg's terms. Rejected together with a connection string that sets TLS. (Default: as in the connection string,
   * otherwise none)
   */
  readonly ssl?: pg.ClientConfig['ssl'];
  /** The maximum number of connections. (Default: 10) */
  readonly maxConnections?: number;
  /**
   * The Postgres schema of all tables, a lower-case identifier. It is created if missing. Statements name it, also in
   * transactions that a call joins. (Default: the role's search_path)
   */
  readonly schema?: string;
}

/** The program's own pg pool. It is neither closed nor changed, and LISTEN is not used. */
export interface PostgresPoolSource {
  readonly pool: pg.Pool;
  /**
   * The Postgres schema of all tables, a lower-case identifier. It is created if missing. Statements name it, regardless of the
   * search_path of the program's connections. (Default: that search_path)
   */
  readonly schema?: string;
}

export interface PostgresOptions {
  /** Milliseconds to wait for a free connection if a call sets no limit. (Default: 10000) */
  readonly waitMs?: number;
  /** Milliseconds to wait for the server when connecting; own pools only. (Default: 5000) */
  readonly connectTimeoutMs?: number;
  /**
   * Milliseconds that a statement of a transaction may take; the network gets 5 s more. 0 means no limit. (Default:
   * 30000)
   */
  readonly statementTimeoutMs?: number;
  /** Milliseconds that a statement may wait for another transaction's row lock. 0 means no limit. (Default: 10000) */
  readonly lockTimeoutMs?: number;
  /** Milliseconds after which Postgres ends a transaction that does nothing. 0 means no limit. (Default: 60000) */
  readonly idleInTransactionTimeoutMs?: number;
  /**
   * Keeps hot statements prepared on the server, which increases the throughput by half. A pooler in transaction mode may lose
   * prepared statements (pgbouncer before 1.21, or with max_prepared_statements = 0). If true, open() then throws a StorageError
   * `other`. (Default: true if open() finds that prepared statements work; otherwise false, which is logged)
   */
  readonly preparedStatements?: boolean;
}

/**
 * PostgreSQL as storage. @throws RangeError if the connection string, the pool, the schema's name or a limit is invalid, or if
 * options contradict each other
 */
export function postgresStorage(
  source: PostgresConnectionSource | PostgresPoolSource,
  options: PostgresOptions = {},
): StorageAdapter {
  // If neither is given, pg reads its own environment variables.
  const optionName = Object.hasOwn(source ?? {}, 'connectionString') ? 'either' : 'optional';
  checkOptions<PostgresConnectionSource | PostgresPoolSource>('postgresStorage', source, {
    connectionString: optionName,
    host: optionName,
    port: 'optional',
    user: 'optional',
    password: 'optional',
    database: 'optional',
    ssl: 'optional',
    maxConnections: 'optional',
    schema: 'optional',
    pool: optionName,
  });
  checkOptions<PostgresOptions>('postgresStorage', options, {
    waitMs: 'optional',
    connectTimeoutMs: 'optional',
    statementTimeoutMs: 'optional',
    lockTimeoutMs: 'optional',
    idleInTransactionTimeoutMs: 'optional',
    preparedStatements: 'optional',
  });
  const ownsPool = !('pool' in source);
  if (!ownsPool) checkPool('postgresStorage', source.pool, 'pg', ['connect', 'query']);
  const limits = sessionLimits(options);
  if ('connectionString' in source && source.connectionString)
    checkConnectionUrl(
      'postgresStorage: connectionString',
      source.connectionString,
      'postgres://user:password@host:5432/database',
    );
  checkSchema(source);
  checkTls(source);
  return {
    id: 'postgres',
    dialect: 'postgres',
    capabilities: { sharedCommits: false, skipLocked: true, locks: 'transaction', notifies: true },
    ...(source.schema !== undefined && { schema: source.schema }),
    open: async () =>
      ownsPool
        ? openOwn(source, limits, options.preparedStatements, options.connectTimeoutMs ?? 5000)
        : openShared(source, limits, options.preparedStatements),
  };
}

async function openShared(
  { pool, schema }: PostgresPoolSource,
  limits: SessionLimits,
  preparedOption: boolean | undefined,
): Promise<StorageDriver> {
  let poolerFeatures: Sending;
  try {
    if (schema !== undefined) await createSchema(pool, schema);
    poolerFeatures = await sendingThrough(pool, limits, { names: preparedOption, listens: false, schema });
  } catch (error) {
    throw postgresFault(error);
  }
  return new PostgresDriver({
    pool,
    limits,
    ...poolerFeatures.parts,
    pipelined: false,
    schema,
    info: { driver: 'pg', shared_pool: 1, prepared_statements: Number(poolerFeatures.parts.preparedStatements) },
    close: async () => undefined,
  });
}

async function openOwn(
  source: PostgresConnectionSource,
  limits: SessionLimits,
  preparedOption: boolean | undefined,
  connectTimeoutMs: number,
): Promise<StorageDriver> {
  const { maxConnections, schema, ...connection } = source;
  const config: pg.ClientConfig = {
    ...connection,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
  };
  let options = schema === undefined ? undefined : `-c search_path=${schema}`;
  const max = maxConnections ?? 10;
  // The pool's own time limit would also limit the wait for a free connection. Set here, it limits connecting only.
  class Client extends pg.Client {
    constructor() {
      super({ ...config, ...(options !== undefined && { options }), connectionTimeoutMillis: connectTimeoutMs });
      // pg prefers the connection string's password, even if the string has none.
      if (source.password !== undefined)
        Object.defineProperty(this, 'password', { value: source.password, writable: true });
    }
  }
  const pool = new pg.Pool({ max, Client });
  // The server closed an idle connection. The pool has dropped it, and the next statement gets a new connection.
  pool.on('error', () => undefined);
  let poolerFeatures: Sending;
  try {
    if (schema !== undefined)
      await createSchema(pool, schema).catch((error: unknown) => {
        // Statements name the schema, so they need no search_path if a pooler rejects it.
        if (!refusesOptions(error)) throw error;
        options = undefined;
        return createSchema(pool, schema);
      });
    poolerFeatures = await sendingThrough(pool, limits, { names: preparedOption, listens: true, schema });
  } catch (error) {
    await pool.end();
    throw postgresFault(error);
  }
  const { preparedStatements } = poolerFeatures.parts;
  return new PostgresDriver({
    pool,
    limits,
    ...poolerFeatures.parts,
    pipelined: true,
    schema,
    ...(poolerFeatures.listens && { createListenClient: () => new Client() }),
    info: { driver: 'pg', shared_pool: 0, max_connections: max, prepared_statements: Number(preparedStatements) },
    close: () => pool.end(),
  });
}

/** The error of pgbouncer and of poolers that imitate it. */
const refusesOptions = (error: unknown): boolean =>
  error instanceof Error && /unsupported startup parameter.*\boptions\b/.test(error.message);

interface Sending {
  readonly parts: Pick<PostgresDriverParts, 'pooled' | 'notice' | 'preparedStatements'>;
  readonly listens: boolean;
}

/**
 * How to send statements through a pooler that may be in front of Postgres. @throws StorageError if prepared statements are
 * required but do not work
 */
async function sendingThrough(
  pool: pg.Pool,
  { waitMs }: SessionLimits,
  requirements: { readonly names: boolean | undefined; readonly listens: boolean; readonly schema: string | undefined },
): Promise<Sending> {
  const lender = { ask: () => pool.connect(), faultOf: postgresFault };
  const features = await detectPooler({
    ask: () => borrow<PostgresPoolClient>(lender, { waitMs }),
    connections: pool.options.max,
    waitMs,
    check: (rows) => assertUsablePostgres(rows, requirements.schema),
  });
  if (requirements.names === true && !features.keepsStatementNames) {
    throw new StorageError(
      'other',
      'There is a pooler in front of Postgres that does not support prepared statements: leave preparedStatements out, or set max_prepared_statements (pgbouncer 1.21 and later).',
    );
  }
  return {
    parts: {
      pooled: features.hasPooler,
      notice: noticeOf(features, { names: requirements.names !== false, listens: requirements.listens }),
      preparedStatements: requirements.names !== false && features.keepsStatementNames,
    },
    listens: features.keepsSessions,
  };
}

/**
 * Checks first whether the schema exists, because a role without the right to create schemas may use an existing one. Without the
 * right to use it, its tables would seem to be missing.
 */
async function createSchema(pool: pg.Pool, schema: string): Promise<void> {
  const schemaQuery =
    "select has_schema_privilege(oid, 'usage') as usable, current_user as role from pg_namespace where nspname = $1";
  const exists = async (): Promise<boolean> => {
    const { rows } = await pool.query<{ usable: boolean; role: string }>(schemaQuery, [schema]);
    const [schemaRow] = rows;
    if (schemaRow?.usable === false)
      throw new StorageError(
        'unavailable',
        `The role ${schemaRow.role} may not use the schema ${schema}. As its owner run: grant usage on schema ${schema} to "${schemaRow.role}"`,
      );
    return schemaRow !== undefined;
  };
  if (await exists()) return;
  try {
    await pool.query(`create schema if not exists ${schema}`);
  } catch (error) {
    // Two processes may start together; IF NOT EXISTS does not prevent a race.
    if (await exists()) return;
    if ((error as { code?: unknown }).code !== '42501') throw error;
    throw new StorageError(
      'unavailable',
      `The schema ${schema} does not exist, and this role may not create it. Run postrider migrate as a role that may.`,
      { cause: error },
    );
  }
}

const tlsInString = /[?&](?:ssl|sslmode|sslrootcert|sslcert|sslkey)=/;

/** If both are set, pg would silently use the string's TLS settings and ignore `ssl` with its certificates. */
function checkTls(source: PostgresConnectionSource | PostgresPoolSource): void {
  if ('pool' in source || source.ssl === undefined || !tlsInString.test(source.connectionString ?? '')) return;
  throw new RangeError(
    'The connection string sets TLS (sslmode), which would win over ssl: take it out of the string, or leave ssl out.',
  );
}

function checkSchema(source: PostgresConnectionSource | PostgresPoolSource): void {
  const { schema } = source;
  if (schema === undefined) return;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new RangeError(
      `"${schema}" cannot be the schema: use lower-case letters, digits and underscores, at most 63.`,
    );
  }
}
