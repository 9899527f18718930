// Whether a pooler such as pgbouncer stands before Postgres, and what gets through it. Asked by postgres.ts when it opens a
// database; knows no SDK.
import { StorageError } from '../../core/contract/ports/storage.ts';
import type { PostgresPoolClient } from './postgres-connection.ts';
import { losesName, postgresFault } from './postgres-faults.ts';
import { postgresQuestion } from './postgres-session.ts';
import { type PostgresQuery, plainQuery } from './postgres-statements.ts';

/** What gets through to Postgres. */
export interface Passage {
  /** Whether something other than Postgres answers. */
  readonly pooled: boolean;
  /** Whether a connection keeps its session, which LISTEN needs. */
  readonly sessions: boolean;
  /** Whether prepared statements can be used by their names. */
  readonly names: boolean;
}

/** The pool to ask, and how long. */
export interface PassageQuestion {
  readonly ask: () => Promise<PostgresPoolClient>;
  /** Connections that the pool may have. */
  readonly connections: number;
  /** Milliseconds to wait for each answer; at least a second is given. */
  readonly waitMs: number;
  /** Judges the settings of the session. @throws StorageError */
  readonly check: (rows: readonly Record<string, unknown>[]) => void;
}

const minWaitMs = 1000;
/**
 * Which of two connections asks next. Not in turn, for a pooler that hands its own connections out in turn would seem to
 * keep sessions then.
 */
const askers = ['first', 'second', 'second', 'first', 'first', 'first', 'second', 'first', 'second', 'second'] as const;
const whichBackend = 'select pg_backend_pid() as pid';

/**
 * Asks Postgres for the process of a session, which it also told the client when that connected: where these differ, a
 * pooler made up the latter. Two clients then use one name for a prepared statement. @throws StorageError when an
 * answer does not come in time
 */
export async function findPassage({ ask, connections, waitMs, check }: PassageQuestion): Promise<Passage> {
  const limitMs = Math.max(waitMs, minWaitMs);
  return borrowed(ask, async (first) => {
    const pid = await backendOf(first, plainQuery(whichBackend, limitMs));
    check((await first.query(plainQuery(postgresQuestion, limitMs))).rows);
    if (pid === first.processID) return { pooled: false, sessions: true, names: true };
    if (connections < 2) return { pooled: true, sessions: false, names: false };
    return borrowed(ask, (second) => compare(first, second, limitMs));
  });
}

async function compare(first: PostgresPoolClient, second: PostgresPoolClient, limitMs: number): Promise<Passage> {
  const query = { ...plainQuery(whichBackend, limitMs), name: 'postrider_pooler' };
  const clients = { first, second };
  const seen = { first: new Set<number>(), second: new Set<number>() };
  try {
    for (const asker of askers) seen[asker].add(await backendOf(clients[asker], query));
  } catch (error) {
    if (!losesName(error)) throw error;
    return { pooled: true, sessions: false, names: false };
  }
  const [one] = seen.first;
  const sessions = seen.first.size === 1 && seen.second.size === 1 && one !== undefined && !seen.second.has(one);
  // Without sessions, names are shown to work only by two clients on one backend.
  const shared = [...seen.first].some((pid) => seen.second.has(pid));
  return { pooled: true, sessions, names: sessions || shared };
}

/** A client for the time of `work`; behind a pooler it is not used again, for it holds a name that others use. */
async function borrowed(
  ask: () => Promise<PostgresPoolClient>,
  work: (client: PostgresPoolClient) => Promise<Passage>,
): Promise<Passage> {
  const client = await ask();
  // Without a listener an error on a borrowed client would end the process.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  let keep = false;
  try {
    const passage = await work(client);
    keep = !passage.pooled;
    return passage;
  } finally {
    client.release(!keep);
    if (keep) client.removeListener('error', ignore);
  }
}

async function backendOf(client: PostgresPoolClient, query: PostgresQuery): Promise<number> {
  const { rows } = await client.query(query);
  return Number(rows[0]?.['pid']);
}

/**
 * Waits for the first answer on a new connection: a pooler accepts connections for which it has none to Postgres. A
 * client that gets no answer is destroyed. @throws StorageError `unavailable` after `waitMs`
 */
export async function awaitFirstAnswer(client: PostgresPoolClient, waitMs: number): Promise<void> {
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

/** What to tell the operator about a pooler; undefined where everything gets through. */
export function noticeOf(
  passage: Passage,
  uses: { readonly names: boolean; readonly listens: boolean },
): string | undefined {
  const lacks = [
    ...(uses.names && !passage.names
      ? ['prepared statements do not get through, so that statements are sent without names and take longer']
      : []),
    ...(uses.listens && !passage.sessions ? ['LISTEN does not get through, so that jobs are found by polling'] : []),
  ];
  return lacks.length === 0
    ? undefined
    : `A pooler stands before Postgres: ${lacks.join('; ')}. Nothing has to be done.`;
}
