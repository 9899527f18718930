// Detects whether there is a pooler such as pgbouncer in front of Postgres, and which features work through it. Called by
// postgres.ts when it opens a database; its wait for a first response is also used by postgres-driver.ts. Knows no SDK.
import { StorageError } from '../../core/contract/ports/storage.ts';
import type { PostgresPoolClient } from './postgres-connection.ts';
import { losesStatementName, postgresFault } from './postgres-faults.ts';
import { postgresSettingsQuery } from './postgres-session.ts';
import { type PostgresQuery, plainQuery } from './postgres-statements.ts';

/** The features that work on the way to Postgres. */
export interface PoolerFeatures {
  /** Whether there is a pooler, which responds in place of Postgres when a client connects. */
  readonly hasPooler: boolean;
  /** Whether a connection keeps its session, which LISTEN needs. */
  readonly keepsSessions: boolean;
  /** Whether prepared statements can be used by their names. */
  readonly keepsStatementNames: boolean;
}

/** The pool to test, and the time limits. */
export interface PoolerCheck {
  readonly ask: () => Promise<PostgresPoolClient>;
  /** The maximum number of connections of the pool. */
  readonly connections: number;
  /** Milliseconds to wait for each response; at least a second. */
  readonly waitMs: number;
  /** Checks the settings of the session. @throws StorageError */
  readonly check: (rows: readonly Record<string, unknown>[]) => void;
}

const minWaitMs = 1000;
/**
 * The order in which the two connections send queries, in pairs. They do not simply alternate: a pooler that assigns its own
 * connections in turn would then seem to keep sessions.
 */
const queryOrder = [
  ['first', 'second'],
  ['second', 'first'],
  ['first', 'first'],
  ['second', 'first'],
  ['second', 'second'],
] as const;
const backendQuery = 'select pg_backend_pid() as pid';

/**
 * Asks Postgres for the process id of a session, and compares it with the id that the client received when it connected. If they
 * differ, a pooler has invented the client's id. Then two clients use the same names for prepared statements, to test the names.
 * @throws StorageError if a response does not come in time
 */
export async function detectPooler({ ask, connections, waitMs, check }: PoolerCheck): Promise<PoolerFeatures> {
  const limitMs = Math.max(waitMs, minWaitMs);
  return withBorrowed(ask, async (first) => {
    const pid = await backendOf(first, plainQuery(backendQuery, limitMs));
    check((await first.query(plainQuery(postgresSettingsQuery, limitMs))).rows);
    if (pid === first.processID) return { hasPooler: false, keepsSessions: true, keepsStatementNames: true };
    if (connections < 2) return { hasPooler: true, keepsSessions: false, keepsStatementNames: false };
    return withBorrowed(ask, (second) => compareBackends(first, second, limitMs));
  });
}

async function compareBackends(
  first: PostgresPoolClient,
  second: PostgresPoolClient,
  limitMs: number,
): Promise<PoolerFeatures> {
  const query = plainQuery(backendQuery, limitMs);
  const clients = { first, second };
  const backends = { first: new Set<number>(), second: new Set<number>() };
  let names = false;
  try {
    for (const [index, [one, other]] of queryOrder.entries()) {
      const namedQuery = { ...query, name: `postrider_pooler_${index}` };
      const pids = [await backendOf(clients[one], namedQuery), await backendOf(clients[other], namedQuery)] as const;
      backends[one].add(pids[0]);
      backends[other].add(pids[1]);
      // Both clients prepared this name on one backend. Only a pooler that knows the names of its clients lets the second one do that.
      names ||= one !== other && pids[0] === pids[1];
    }
  } catch (error) {
    if (!losesStatementName(error)) throw error;
    return { hasPooler: true, keepsSessions: false, keepsStatementNames: false };
  }
  const [backend] = backends.first;
  const sessions =
    backends.first.size === 1 && backends.second.size === 1 && backend !== undefined && !backends.second.has(backend);
  return { hasPooler: true, keepsSessions: sessions, keepsStatementNames: sessions || names };
}

/**
 * Lends a client to `work`. Behind a pooler the client is not used again, because its prepared statement has a name
 * that other clients use.
 */
async function withBorrowed(
  ask: () => Promise<PostgresPoolClient>,
  work: (client: PostgresPoolClient) => Promise<PoolerFeatures>,
): Promise<PoolerFeatures> {
  const client = await ask();
  // Without a listener, an error on a borrowed client would end the process.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  let isReusable = false;
  try {
    const features = await work(client);
    isReusable = !features.hasPooler;
    return features;
  } finally {
    client.release(!isReusable);
    if (isReusable) client.removeListener('error', ignore);
  }
}

async function backendOf(client: PostgresPoolClient, query: PostgresQuery): Promise<number> {
  const { rows } = await client.query(query);
  return Number(rows[0]?.['pid']);
}

/**
 * Waits for the first response on a new connection, because a pooler accepts connections even if it has no free connection to
 * Postgres. A client without a response is destroyed. @throws StorageError `unavailable` after `waitMs`
 */
export async function awaitFirstResponse(client: PostgresPoolClient, waitMs: number): Promise<void> {
  const ignore = (): void => undefined;
  client.on('error', ignore);
  try {
    await client.query(plainQuery('select 1', Math.max(1, Math.ceil(waitMs))));
    client.removeListener('error', ignore);
  } catch (error) {
    client.release(true);
    throw new StorageError(
      'unavailable',
      'The pooler had no connection to Postgres in time. In session mode its pool needs processes × (maxConnections + 1) connections. Nothing was run: try again.',
      { cause: postgresFault(error) },
    );
  }
}

/** The notice for the operator about a pooler; undefined if everything works. */
export function noticeOf(
  features: PoolerFeatures,
  uses: { readonly names: boolean; readonly listens: boolean },
): string | undefined {
  const missingFeatures = [
    ...(uses.names && !features.keepsStatementNames
      ? ['prepared statements do not get through, so that statements are sent without names and take longer']
      : []),
    ...(uses.listens && !features.keepsSessions
      ? ['LISTEN does not get through, so that jobs are found by polling']
      : []),
  ];
  return missingFeatures.length === 0
    ? undefined
    : `There is a pooler in front of Postgres: ${missingFeatures.join('; ')}. You need not do anything.`;
}
