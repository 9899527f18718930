/*
 * For orientation beside the floor: the same work on PostgreSQL, but waiting requests are taken together, looked up in
 * one round trip and written by one statement. The delivery renders the mail.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import Fastify from 'fastify';
import { announce, readSettings } from '../contestant.ts';
import { findRecord, type HashedCaller, openPostgres, selectCaller } from './accept-postgres.ts';
import { createId } from './identifiers.ts';
import { type FloorLimitState, takeLimits } from './limits.ts';
import {
  type AcceptedSend,
  acceptSend,
  bearerHash,
  type Caller,
  type FloorResponse,
  type FloorSendBody,
  fingerprintOf,
  refuse,
  refuseCaller,
  refuseContent,
  refuseRequest,
  replay,
  sendRoute,
  writeFloorResponse,
} from './send-message.ts';

const settings = readSettings();
const { pool, announcement } = await openPostgres(settings, { max: 4, pipeline: true }, 500);

const callersByHash = `${selectCaller.replace('SELECT', 'SELECT k.hash,')} WHERE k.hash = ANY($1)`;
const suppressionsByEmail = 'SELECT workspace_id, email FROM suppression WHERE email = ANY($1)';
const writeAll = `
  WITH input AS (
    SELECT * FROM json_to_recordset($1) AS r(
      workspace text, "idempotencyKey" text, fingerprint text, answer text, now bigint, id text, "messageId" text,
      "keyId" text, "templateKey" text, status text, "to" text, "from" text, subject text, tags text, metadata text,
      content text, "timelineId" text, "eventType" text, "jobId" text, "jobPayload" text, "eventId" text,
      "eventPayload" text, "auditId" text, ip text, "requestId" text, "auditMetadata" text)
  ), record AS (
    INSERT INTO idempotency
    SELECT workspace, $2, "idempotencyKey", fingerprint, 202, answer, now FROM input
    ON CONFLICT DO NOTHING RETURNING workspace_id AS workspace, key AS "idempotencyKey"
  ), fresh AS (SELECT * FROM input JOIN record USING (workspace, "idempotencyKey")
  ), sends AS (
    INSERT INTO send
    SELECT workspace, id, "messageId", "keyId", "templateKey", 1, status, "to", "from", subject, tags, metadata, now,
      content FROM fresh
  ), timelines AS (
    INSERT INTO timeline SELECT workspace, id, "timelineId", "eventType", now FROM fresh
  ), jobs AS (
    INSERT INTO job
    SELECT now, "jobId", workspace, 'deliver', "jobPayload", 0, NULL FROM fresh WHERE status <> 'suppressed'
  ), events AS (
    INSERT INTO event SELECT "eventId", workspace, "eventType", "eventPayload", now FROM fresh
  ), audits AS (
    INSERT INTO audit
    SELECT workspace, "auditId", now, 'api', "keyId", ip, 'transactional.send', 'message', "messageId", "requestId",
      "auditMetadata", "idempotencyKey" FROM fresh
  )
  SELECT id FROM fresh`;

interface Waiting {
  request: FastifyRequest;
  reply: FastifyReply;
  requestId: string;
  hash: string;
  email: string;
}

interface Row extends AcceptedSend {
  workspace: string;
  keyId: string;
  templateKey: string;
  content: string;
  fingerprint: string;
  idempotencyKey: string;
  ip: string;
  requestId: string;
}

type Decision = { answer: FloorResponse } | { row: Row; limits: FloorLimitState };

const atOnce = 2;
const largest = 64;
let running = 0;
let scheduled = false;
let waiting: Waiting[] = [];

async function decide(item: Waiting, caller: Caller | undefined, suppressed: Set<string>): Promise<Decision> {
  const { request, requestId } = item;
  const now = Date.now();
  const unknown = refuseCaller(caller, now);
  if (caller === undefined || unknown !== undefined) return { answer: unknown as FloorResponse };
  const workspace = caller.workspace_id;
  const limits = takeLimits(caller.key_id, workspace, caller.rate, caller.burst, caller.per_minute, now);
  const idempotencyKey = request.headers['idempotency-key'] as string;
  const refusal = refuseRequest(caller, limits, request.body, idempotencyKey);
  if (refusal !== undefined) return { answer: refusal };
  const templateKey = (request.params as { key: string }).key;
  const body = request.body as FloorSendBody;
  const fingerprint = fingerprintOf(templateKey, body);
  const contentRefusal = refuseContent(caller, limits, templateKey, body);
  if (contentRefusal !== undefined) {
    const record = await findRecord(pool, workspace, sendRoute, idempotencyKey);
    return { answer: record === undefined ? contentRefusal : replay(record, fingerprint, limits) };
  }
  const send = acceptSend(caller, body, suppressed.has(`${workspace} ${item.email}`), now);
  const content = JSON.stringify(body.variables);
  const scope = { workspace, keyId: caller.key_id, templateKey, content, fingerprint, idempotencyKey };
  return { limits, row: Object.assign(send, scope, { ip: request.ip, requestId }) };
}

async function acceptAll(batch: Waiting[]): Promise<FloorResponse[]> {
  const client = await pool.connect();
  try {
    const [callers, suppressions] = await Promise.all([
      client.query<HashedCaller>({
        name: 'callers',
        text: callersByHash,
        values: [[...new Set(batch.map((item) => item.hash))]],
      }),
      client.query<{ workspace_id: string; email: string }>({
        name: 'suppressions',
        text: suppressionsByEmail,
        values: [batch.map((item) => item.email)],
      }),
    ]);
    const callerByHash = new Map(callers.rows.map((row) => [row.hash, row]));
    const suppressedAddresses = new Set(suppressions.rows.map((row) => `${row.workspace_id} ${row.email}`));
    const decisions: Decision[] = [];
    for (const item of batch) decisions.push(await decide(item, callerByHash.get(item.hash), suppressedAddresses));
    // One row per key: a repeated key within the batch finds the record of the first request, as a later request would.
    const rows = new Map<string, Row>();
    for (const decision of decisions) {
      if (!('row' in decision)) continue;
      const scope = `${decision.row.workspace} ${decision.row.idempotencyKey}`;
      if (!rows.has(scope)) rows.set(scope, decision.row);
    }
    if (rows.size === 0) return decisions.map((decision) => (decision as { answer: FloorResponse }).answer);
    const values = [JSON.stringify([...rows.values()]), sendRoute];
    const writtenRows = await client.query<{ id: string }>({ name: 'write', text: writeAll, values });
    const fresh = new Set(writtenRows.rows.map((row) => row.id));
    const answers: FloorResponse[] = [];
    for (const decision of decisions) {
      if ('answer' in decision) {
        answers.push(decision.answer);
        continue;
      }
      const { row, limits } = decision;
      if (fresh.has(row.id)) {
        answers.push({ status: 202, body: row.answer, limits });
        continue;
      }
      const record = await findRecord(client, row.workspace, sendRoute, row.idempotencyKey);
      if (record === undefined) throw new Error('A conflicting record is missing.');
      answers.push(replay(record, row.fingerprint, limits));
    }
    return answers;
  } finally {
    client.release();
  }
}

async function runBatches(): Promise<void> {
  scheduled = false;
  running += 1;
  while (waiting.length > 0) {
    const batch = waiting.slice(0, largest);
    waiting = waiting.slice(largest);
    try {
      const answers = await acceptAll(batch);
      for (const [index, { reply, requestId }] of batch.entries()) {
        writeFloorResponse(reply, answers[index] as FloorResponse, requestId);
      }
    } catch {
      const failure = refuse(500, 'api_error', 'internal_error', 'The send could not be stored.');
      for (const { reply, requestId } of batch) writeFloorResponse(reply, failure, requestId);
    }
  }
  running -= 1;
}

const server = Fastify({ bodyLimit: 15 * 1024 * 1024 });
server.post(sendRoute, (request, reply) => {
  const to = (request.body as FloorSendBody | null)?.to;
  const email = typeof to === 'string' ? to.toLowerCase() : '';
  waiting.push({ request, reply, requestId: createId('req_', Date.now()), hash: bearerHash(request), email });
  if (running < atOnce && !scheduled) {
    scheduled = true;
    setImmediate(runBatches);
  }
});

const address = await server.listen({ port: settings.port, host: '127.0.0.1' });
announce({ ...announcement, port: Number(new URL(address).port) });
