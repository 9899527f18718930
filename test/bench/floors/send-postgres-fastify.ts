/*
 * The floor for accepted sends on PostgreSQL: Fastify and pg by hand, a pool of ten, prepared statements, one
 * transaction per request, the mail rendered at accept. The connections pipeline, so that the statements of a request
 * need two round trips. PIPELINE=off waits for each answer instead (slower: for comparison only).
 */

import type { FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import type pg from 'pg';
import { announce, readSettings } from '../contestant.ts';
import { findRecord, openPostgres, selectCaller } from './accept-postgres.ts';
import { createId } from './identifiers.ts';
import { takeLimits } from './limits.ts';
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
  writeFloorResponse,
} from './send-message.ts';

const settings = readSettings();
const pipeline = process.env.PIPELINE !== 'off';
const { pool, announcement } = await openPostgres(settings, { max: 10, pipeline }, 20_000);

const callerByHash = `${selectCaller} WHERE k.hash = $1`;
const suppressionByHash = `
  SELECT 1 FROM suppression s JOIN api_key k ON k.workspace_id = s.workspace_id WHERE s.email = $1 AND k.hash = $2`;
const insertRecord = 'INSERT INTO idempotency VALUES ($1, $2, $3, $4, 202, $5, $6)';
const insertSend = 'INSERT INTO send VALUES ($1, $2, $3, $4, $5, 1, $6, $7, $8, $9, $10, $11, $12, $13)';
const insertTimeline = 'INSERT INTO timeline VALUES ($1, $2, $3, $4, $5)';
const insertJob = `INSERT INTO job VALUES ($1, $2, $3, 'deliver', $4, 0, NULL)`;
const insertEvent = 'INSERT INTO event VALUES ($1, $2, $3, $4, $5)';
const insertAudit = `
  INSERT INTO audit VALUES ($1, $2, $3, 'api', $4, $5, 'transactional.send', 'message', $6, $7, $8, $9)`;

interface Statement {
  name?: string;
  text: string;
  values?: unknown[];
}

/** Runs statements in order. After a failure in a transaction the rest fail too, COMMIT rolls back, and the call throws. */
async function queryAll(client: pg.PoolClient, statements: Statement[]): Promise<pg.QueryResult[]> {
  if (!pipeline) {
    const results: pg.QueryResult[] = [];
    const failures: unknown[] = [];
    for (const statement of statements) {
      await client.query(statement).then(
        (result) => results.push(result),
        (error: unknown) => failures.push(error),
      );
    }
    if (failures.length > 0) throw failures[0];
    return results;
  }
  // Corked, so that they are sent in one write instead of one each.
  const { stream } = client.connection;
  stream.cork();
  const queries = statements.map((statement) => client.query(statement));
  stream.uncork();
  const settled = await Promise.allSettled(queries);
  return settled.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

async function accept(request: FastifyRequest, requestId: string): Promise<FloorResponse> {
  const now = Date.now();
  const hash = bearerHash(request);
  const body = request.body as FloorSendBody;
  const client = await pool.connect();
  try {
    // The look-ups may run in any order. An address that is not a string is refused below.
    const address = typeof body?.to === 'string' ? body.to.toLowerCase() : '';
    const [callers, suppressions] = await queryAll(client, [
      { name: 'caller', text: callerByHash, values: [hash] },
      { name: 'suppression', text: suppressionByHash, values: [address, hash] },
    ]);
    const caller: Caller | undefined = callers?.rows[0];
    const unknown = refuseCaller(caller, now);
    if (caller === undefined || unknown !== undefined) return unknown as FloorResponse;
    const workspace = caller.workspace_id;
    const limits = takeLimits(caller.key_id, workspace, caller.rate, caller.burst, caller.per_minute, now);
    const key = request.headers['idempotency-key'] as string;
    const refusal = refuseRequest(caller, limits, body, key);
    if (refusal !== undefined) return refusal;

    const templateKey = (request.params as { key: string }).key;
    const fingerprint = fingerprintOf(templateKey, body);
    const contentRefusal = refuseContent(caller, limits, templateKey, body);
    if (contentRefusal !== undefined) {
      const record = await findRecord(client, workspace, sendRoute, key);
      return record === undefined ? contentRefusal : replay(record, fingerprint, limits);
    }

    const isSuppressed = suppressions?.rows.length === 1;
    const mail = renderMail(body.variables);
    const send = acceptSend(caller, body, isSuppressed, now);
    // The record comes first: its unique key is the look-up, and a second call waits for the first to commit.
    const statements: Statement[] = [
      { text: 'BEGIN' },
      { name: 'record', text: insertRecord, values: [workspace, sendRoute, key, fingerprint, send.answer, now] },
      {
        name: 'send',
        text: insertSend,
        values: [
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
        ],
      },
      { name: 'timeline', text: insertTimeline, values: [workspace, send.id, send.timelineId, send.eventType, now] },
      { name: 'event', text: insertEvent, values: [send.eventId, workspace, send.eventType, send.eventPayload, now] },
      {
        name: 'audit',
        text: insertAudit,
        values: [
          workspace,
          send.auditId,
          now,
          caller.key_id,
          request.ip,
          send.messageId,
          requestId,
          send.auditMetadata,
          key,
        ],
      },
    ];
    if (!isSuppressed) {
      statements.push({ name: 'job', text: insertJob, values: [now, send.jobId, workspace, send.jobPayload] });
    }
    statements.push({ text: 'COMMIT' });
    try {
      await queryAll(client, statements);
      return { status: 202, body: send.answer, limits };
    } catch (error) {
      const record = await findRecord(client, workspace, sendRoute, key);
      if (record === undefined) throw error;
      return replay(record, fingerprint, limits);
    }
  } finally {
    client.release();
  }
}

const server = Fastify({ bodyLimit: 15 * 1024 * 1024 });
server.post(sendRoute, async (request, reply) => {
  const requestId = createId('req_', Date.now());
  writeFloorResponse(reply, await accept(request, requestId), requestId);
  return reply;
});

const address = await server.listen({ port: settings.port, host: '127.0.0.1' });
announce({ ...announcement, port: Number(new URL(address).port) });
