/*
 * Accepting a send on SQLite, by hand: the tables, the prepared statements and the steps of one request. The two SQLite
 * floors call `accept` inside their transaction. It opens none itself.
 */
import Database from 'better-sqlite3';
import type { FastifyRequest } from 'fastify';
import type { Announcement, ContestantSettings } from '../contestant.ts';
import { suppressedAddress } from '../mail-fixture.ts';
import { takeLimits } from './limits.ts';
import { provision } from './provision.ts';
import {
  acceptSend,
  bearerHash,
  type Caller,
  type FloorResponse,
  type FloorSendBody,
  fingerprintOf,
  refuseCaller,
  refuseContent,
  refuseRequest,
  renderMail,
  replay,
  sendRoute,
} from './send-message.ts';

// Every table is clustered on the key by which it is read: one B-tree per table, so that a commit changes few pages.
const tables = `
  CREATE TABLE workspace (
    id TEXT PRIMARY KEY, plan TEXT NOT NULL, rate INTEGER NOT NULL, burst INTEGER NOT NULL,
    per_minute INTEGER NOT NULL, from_email TEXT NOT NULL, from_name TEXT NOT NULL, sending_domain TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE api_key (
    hash TEXT PRIMARY KEY, id TEXT NOT NULL, workspace_id TEXT NOT NULL, scopes TEXT NOT NULL,
    expires_at INTEGER, revoked_at INTEGER
  ) WITHOUT ROWID;
  CREATE TABLE suppression (
    workspace_id TEXT NOT NULL, email TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (workspace_id, email)
  ) WITHOUT ROWID;
  CREATE TABLE send (
    workspace_id TEXT NOT NULL, id TEXT NOT NULL, message_id TEXT NOT NULL, key_id TEXT NOT NULL,
    template_key TEXT NOT NULL, template_version INTEGER NOT NULL, status TEXT NOT NULL, recipient TEXT NOT NULL,
    sender TEXT NOT NULL, subject TEXT NOT NULL, tags TEXT NOT NULL, metadata TEXT, created_at INTEGER NOT NULL,
    content TEXT NOT NULL, PRIMARY KEY (workspace_id, id)
  ) WITHOUT ROWID;
  CREATE TABLE timeline (
    workspace_id TEXT NOT NULL, send_id TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, ts INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, send_id, id)
  ) WITHOUT ROWID;
  CREATE TABLE job (
    run_at INTEGER NOT NULL, id TEXT NOT NULL, workspace_id TEXT NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL,
    attempts INTEGER NOT NULL, lease TEXT, PRIMARY KEY (run_at, id)
  ) WITHOUT ROWID;
  CREATE TABLE event (
    id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL, type TEXT NOT NULL, payload TEXT NOT NULL, ts INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE audit (
    workspace_id TEXT NOT NULL, id TEXT NOT NULL, ts INTEGER NOT NULL, actor_kind TEXT NOT NULL, key_id TEXT NOT NULL,
    ip TEXT NOT NULL, action TEXT NOT NULL, target_kind TEXT NOT NULL, target_id TEXT NOT NULL,
    request_id TEXT NOT NULL, metadata TEXT NOT NULL, idempotency_key TEXT NOT NULL, PRIMARY KEY (workspace_id, id)
  ) WITHOUT ROWID;
  CREATE TABLE idempotency (
    workspace_id TEXT NOT NULL, route TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (workspace_id, route, key)
  ) WITHOUT ROWID;
`;

/** The part of the mail that the send's row stores: its HTML, or the variables with which the delivery renders it. */
export type FloorMailContent = 'html' | 'variables';

/** A database with its schema, its keys, and the steps of one request. */
export interface SqliteAccept {
  database: Database.Database;
  /** Decides one request. Runs inside the caller's transaction. */
  accept(request: FastifyRequest, requestId: string): FloorResponse;
  announcement: Omit<Announcement, 'port'>;
}

/** Creates the database file and prepares the statements. */
export function createSqliteAccept(settings: ContestantSettings, content: FloorMailContent): SqliteAccept {
  const database = new Database(settings.databasePath);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('busy_timeout = 0');
  database.pragma('wal_autocheckpoint = 4000');
  database.exec(tables);
  const { workspaces, keys } = provision(settings.workspaces, settings.keys);
  database.transaction(() => {
    const insertWorkspace = database.prepare('INSERT INTO workspace VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    const insertKey = database.prepare('INSERT INTO api_key VALUES (?, ?, ?, ?, NULL, NULL)');
    const insertSuppression = database.prepare('INSERT INTO suppression VALUES (?, ?, ?)');
    for (const row of workspaces) {
      insertWorkspace.run(...Object.values(row));
      insertSuppression.run(row.id, suppressedAddress, 'manual');
    }
    for (const row of keys) insertKey.run(row.secretHash, row.id, row.workspaceId, row.scopes);
  })();

  const findCaller = database.prepare<[string], Caller>(
    `SELECT k.id AS key_id, k.scopes, k.expires_at, k.revoked_at, w.id AS workspace_id, w.rate, w.burst, w.per_minute,
       w.from_email, w.from_name, w.sending_domain
     FROM api_key k JOIN workspace w ON w.id = k.workspace_id WHERE k.hash = ?`,
  );
  const findRecord = database.prepare<[string, string, string], { fingerprint: string; body: string }>(
    'SELECT fingerprint, body FROM idempotency WHERE workspace_id = ? AND route = ? AND key = ?',
  );
  const findSuppression = database.prepare('SELECT 1 FROM suppression WHERE workspace_id = ? AND email = ?');
  const insertSend = database.prepare(`INSERT INTO send VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertTimeline = database.prepare('INSERT INTO timeline VALUES (?, ?, ?, ?, ?)');
  const insertJob = database.prepare(`INSERT INTO job VALUES (?, ?, ?, 'deliver', ?, 0, NULL)`);
  const insertEvent = database.prepare('INSERT INTO event VALUES (?, ?, ?, ?, ?)');
  const insertAudit = database.prepare(
    `INSERT INTO audit VALUES (?, ?, ?, 'api', ?, ?, 'transactional.send', 'message', ?, ?, ?, ?)`,
  );
  const insertRecord = database.prepare('INSERT INTO idempotency VALUES (?, ?, ?, ?, 202, ?, ?)');

  function accept(request: FastifyRequest, requestId: string): FloorResponse {
    const now = Date.now();
    const caller = findCaller.get(bearerHash(request));
    const unknown = refuseCaller(caller, now);
    if (caller === undefined || unknown !== undefined) return unknown as FloorResponse;
    const workspace = caller.workspace_id;
    const limits = takeLimits(caller.key_id, workspace, caller.rate, caller.burst, caller.per_minute, now);
    const key = request.headers['idempotency-key'] as string;
    const refusal = refuseRequest(caller, limits, request.body, key);
    if (refusal !== undefined) return refusal;

    const templateKey = (request.params as { key: string }).key;
    const body = request.body as FloorSendBody;
    const fingerprint = fingerprintOf(templateKey, body);
    const record = findRecord.get(workspace, sendRoute, key);
    if (record !== undefined) return replay(record, fingerprint, limits);
    const contentRefusal = refuseContent(caller, limits, templateKey, body);
    if (contentRefusal !== undefined) return contentRefusal;

    const isSuppressed = findSuppression.get(workspace, body.to.toLowerCase()) !== undefined;
    const mail = content === 'html' ? renderMail(body.variables) : JSON.stringify(body.variables);
    const send = acceptSend(caller, body, isSuppressed, now);
    insertSend.run(
      workspace,
      send.id,
      send.messageId,
      caller.key_id,
      templateKey,
      send.status,
      send.to,
      send.from,
      send.subject,
      send.tags,
      send.metadata,
      now,
      mail,
    );
    insertTimeline.run(workspace, send.id, send.timelineId, send.eventType, now);
    if (!isSuppressed) insertJob.run(now, send.jobId, workspace, send.jobPayload);
    insertEvent.run(send.eventId, workspace, send.eventType, send.eventPayload, now);
    insertAudit.run(
      workspace,
      send.auditId,
      now,
      caller.key_id,
      request.ip,
      send.messageId,
      requestId,
      send.auditMetadata,
      key,
    );
    insertRecord.run(workspace, sendRoute, key, fingerprint, send.answer, now);
    return { status: 202, body: send.answer, limits };
  }

  return {
    database,
    accept,
    announcement: {
      keys: keys.map((row) => row.secret),
      counts: {
        send: `SELECT count(*) FROM send WHERE length(content) > ${content === 'html' ? 20_000 : 500}`,
        timeline: 'SELECT count(*) FROM timeline',
        job: 'SELECT count(*) FROM job',
        event: 'SELECT count(*) FROM event',
        audit: 'SELECT count(*) FROM audit',
        idempotency: 'SELECT count(*) FROM idempotency',
      },
      durability: {
        journal_mode: database.pragma('journal_mode', { simple: true }) as string,
        synchronous: database.pragma('synchronous', { simple: true }) as number,
      },
    },
  };
}
