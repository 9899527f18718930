/*
 * The PostgreSQL tables of the two floors, the pool and the keys. The floors themselves contain the steps of a request.
 */
import pg from 'pg';
import type { Announcement, ContestantSettings } from '../contestant.ts';
import { suppressedAddress } from '../mail-fixture.ts';
import { provision } from './provision.ts';
import type { Caller } from './send-message.ts';

// A rendered mail is stored uncompressed: pglz costs more than the bytes that it saves.
const tables = `
  CREATE TABLE workspace (
    id text PRIMARY KEY, plan text NOT NULL, rate integer NOT NULL, burst integer NOT NULL,
    per_minute integer NOT NULL, from_email text NOT NULL, from_name text NOT NULL, sending_domain text NOT NULL
  );
  CREATE TABLE api_key (
    hash text PRIMARY KEY, id text NOT NULL, workspace_id text NOT NULL, scopes text NOT NULL,
    expires_at bigint, revoked_at bigint
  );
  CREATE TABLE suppression (
    workspace_id text NOT NULL, email text NOT NULL, reason text NOT NULL, PRIMARY KEY (email, workspace_id)
  );
  CREATE TABLE send (
    workspace_id text NOT NULL, id text NOT NULL, message_id text NOT NULL, key_id text NOT NULL,
    template_key text NOT NULL, template_version integer NOT NULL, status text NOT NULL, recipient text NOT NULL,
    sender text NOT NULL, subject text NOT NULL, tags text NOT NULL, metadata text, created_at bigint NOT NULL,
    content text NOT NULL, PRIMARY KEY (workspace_id, id)
  );
  ALTER TABLE send ALTER COLUMN content SET STORAGE EXTERNAL;
  CREATE TABLE timeline (
    workspace_id text NOT NULL, send_id text NOT NULL, id text NOT NULL, type text NOT NULL, ts bigint NOT NULL,
    PRIMARY KEY (workspace_id, send_id, id)
  );
  CREATE TABLE job (
    run_at bigint NOT NULL, id text NOT NULL, workspace_id text NOT NULL, kind text NOT NULL, payload text NOT NULL,
    attempts integer NOT NULL, lease text, PRIMARY KEY (run_at, id)
  );
  CREATE TABLE event (
    id text PRIMARY KEY, workspace_id text NOT NULL, type text NOT NULL, payload text NOT NULL, ts bigint NOT NULL
  );
  CREATE TABLE audit (
    workspace_id text NOT NULL, id text NOT NULL, ts bigint NOT NULL, actor_kind text NOT NULL, key_id text NOT NULL,
    ip text NOT NULL, action text NOT NULL, target_kind text NOT NULL, target_id text NOT NULL,
    request_id text NOT NULL, metadata text NOT NULL, idempotency_key text NOT NULL, PRIMARY KEY (workspace_id, id)
  );
  CREATE TABLE idempotency (
    workspace_id text NOT NULL, route text NOT NULL, key text NOT NULL, fingerprint text NOT NULL,
    status integer NOT NULL, body text NOT NULL, created_at bigint NOT NULL, PRIMARY KEY (workspace_id, route, key)
  );
`;

/** The columns of a `Caller`. A WHERE on `k.hash` follows. */
export const selectCaller = `
  SELECT k.id AS key_id, k.scopes, k.expires_at, k.revoked_at, w.id AS workspace_id, w.rate, w.burst, w.per_minute,
    w.from_email, w.from_name, w.sending_domain
  FROM api_key k JOIN workspace w ON w.id = k.workspace_id`;

/** A caller with the hash that found it. */
export interface HashedCaller extends Caller {
  hash: string;
}

/** A stored answer. */
export interface StoredRecord {
  fingerprint: string;
  body: string;
}

/** Reads a stored answer. Called only if an insert conflicted with one, or before a request is refused. */
export async function findRecord(
  connection: pg.Pool | pg.PoolClient,
  workspace: string,
  route: string,
  key: string,
): Promise<StoredRecord | undefined> {
  const { rows } = await connection.query<StoredRecord>({
    name: 'find-record',
    text: 'SELECT fingerprint, body FROM idempotency WHERE workspace_id = $1 AND route = $2 AND key = $3',
    values: [workspace, route, key],
  });
  return rows[0];
}

/** Creates the tables and the keys and opens a pool. `mailLength` is the minimum length of a stored mail. */
export async function openPostgres(
  settings: ContestantSettings,
  poolOptions: pg.PoolConfig,
  mailLength: number,
): Promise<{ pool: pg.Pool; announcement: Omit<Announcement, 'port'> }> {
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, ...poolOptions });
  await pool.query(tables);
  const { workspaces, keys } = provision(settings.workspaces, settings.keys);
  for (const row of workspaces) {
    await pool.query('INSERT INTO workspace VALUES ($1, $2, $3, $4, $5, $6, $7, $8)', Object.values(row));
    await pool.query('INSERT INTO suppression VALUES ($1, $2, $3)', [row.id, suppressedAddress, 'manual']);
  }
  for (const row of keys) {
    const values = [row.secretHash, row.id, row.workspaceId, row.scopes];
    await pool.query('INSERT INTO api_key VALUES ($1, $2, $3, $4, NULL, NULL)', values);
  }
  const commitMode = await pool.query<{ synchronous_commit: string }>('SHOW synchronous_commit');
  return {
    pool,
    announcement: {
      keys: keys.map((row) => row.secret),
      counts: {
        send: `SELECT count(*) FROM send WHERE length(content) > ${mailLength}`,
        timeline: 'SELECT count(*) FROM timeline',
        job: 'SELECT count(*) FROM job',
        event: 'SELECT count(*) FROM event',
        audit: 'SELECT count(*) FROM audit',
        idempotency: 'SELECT count(*) FROM idempotency',
      },
      durability: { synchronous_commit: commitMode.rows[0]?.synchronous_commit ?? '' },
    },
  };
}
