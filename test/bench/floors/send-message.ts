/*
 * The shared parts of the four send floors, apart from storage: the request's schema, its fingerprint, the template (liquidjs parsed
 * once, contract compiled once) and the answer. This file does no I/O. Contestants must not import it.
 */
import { hash } from 'node:crypto';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Liquid } from 'liquidjs';
import { receiptHtml, subject, templateKey, variablesSchema } from '../mail-fixture.ts';
import { createId } from './identifiers.ts';
import type { FloorLimitState } from './limits.ts';

/** The route of the workload; also half of an idempotency record's scope. */
export const sendRoute = '/v1/templates/:key/send';

/** A request body that passed `validateBody`. */
export interface FloorSendBody {
  to: string;
  template?: string;
  variables: Record<string, unknown>;
  from?: { email: string; name?: string };
  replyTo?: { email: string };
  metadata?: Record<string, unknown>;
  tags?: string[];
}

/** A key joined with its workspace, as both databases return it. */
export interface Caller {
  key_id: string;
  scopes: string;
  expires_at: number | null;
  revoked_at: number | null;
  workspace_id: string;
  rate: number;
  burst: number;
  per_minute: number;
  from_email: string;
  from_name: string;
  sending_domain: string;
}

/** The answer to the caller. `limits` is absent if no caller is known yet. */
export interface FloorResponse {
  status: number;
  body: string;
  limits?: FloorLimitState;
  replay?: true;
}

/** The data from which a request's rows are made. Times are milliseconds since 1970. */
export interface AcceptedSend {
  now: number;
  id: string;
  messageId: string;
  jobId: string;
  timelineId: string;
  eventId: string;
  auditId: string;
  status: 'sent' | 'suppressed';
  eventType: 'send.queued' | 'transactional.suppressed';
  to: string;
  from: string;
  subject: string;
  tags: string;
  metadata: string | null;
  jobPayload: string;
  eventPayload: string;
  auditMetadata: string;
  /** SendPublic as JSON: the body of the answer, and the body of the stored response. */
  answer: string;
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
ajv.addFormat('email', /^[^\s@"<>]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i);
const address = { type: 'string', format: 'email', maxLength: 254 };

/** The declared schema of the body. Unknown fields are refused. */
export const validateBody = ajv.compile<FloorSendBody>({
  type: 'object',
  additionalProperties: false,
  required: ['to', 'variables'],
  properties: {
    to: address,
    template: { type: 'string', pattern: '^[a-z0-9_-]{1,80}$' },
    variables: { type: 'object' },
    from: {
      type: 'object',
      additionalProperties: false,
      required: ['email'],
      properties: { email: address, name: { type: 'string', maxLength: 200 } },
    },
    replyTo: { type: 'object', additionalProperties: false, required: ['email'], properties: { email: address } },
    metadata: { type: 'object' },
    tags: { type: 'array', maxItems: 10, items: { type: 'string', minLength: 1, maxLength: 80 } },
  },
});

/** The template's contract, compiled once. */
export const validateVariables = ajv.compile(variablesSchema);

const liquid = new Liquid({ outputEscape: 'escape', ownPropertyOnly: true });
const parsedMail = liquid.parse(receiptHtml);
const plainLiquid = new Liquid({ ownPropertyOnly: true });
const parsedSubject = plainLiquid.parse(subject);

/** The mail's HTML, about 21 kB. */
export function renderMail(variables: Record<string, unknown>): string {
  return liquid.renderSync(parsedMail, variables) as string;
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  const source = value as Record<string, unknown>;
  const sortedObject: Record<string, unknown> = {};
  for (const key of Object.keys(source).sort()) sortedObject[key] = sortKeys(source[key]);
  return sortedObject;
}

/** SHA-256 over the path and the body with sorted keys, so that the order of keys doesn't matter. */
export function fingerprintOf(key: string, body: FloorSendBody): string {
  return hash('sha256', `${key}\n${JSON.stringify(sortKeys(body))}`, 'base64url');
}

/** SHA-256 of the bearer key; empty if there is none. */
export function bearerHash(request: FastifyRequest): string {
  const header = request.headers.authorization;
  return header?.startsWith('Bearer ') ? hash('sha256', header.slice(7), 'base64url') : '';
}

/** The refusal if a caller may not send, or undefined. */
export function refuseCaller(caller: Caller | undefined, now: number): FloorResponse | undefined {
  if (
    caller === undefined ||
    caller.revoked_at !== null ||
    (caller.expires_at !== null && Number(caller.expires_at) <= now)
  ) {
    return refuse(401, 'authentication_error', 'invalid_api_key', 'The API key is not valid.');
  }
  return undefined;
}

/** The refusal for a caller's limits or scope, its body, or its Idempotency-Key, all checked before the look-up. Else undefined. */
export function refuseRequest(
  caller: Caller,
  limits: FloorLimitState,
  body: unknown,
  key: unknown,
): FloorResponse | undefined {
  if (!limits.granted) {
    return refuse(429, 'rate_limit_exceeded', `${limits.scope}_rate_limit`, 'Too many requests.', limits);
  }
  if (!caller.scopes.includes(' templates:send ')) {
    return refuse(403, 'permission_error', 'insufficient_scope', 'The key lacks templates:send.', limits);
  }
  if (!validateBody(body)) return refuseFaults('validation_failed', '', validateBody.errors, limits);
  if (typeof key !== 'string' || key.length === 0 || key.length > 200) {
    return refuse(422, 'validation_error', 'idempotency_key_invalid', 'An Idempotency-Key is required.', limits);
  }
  return undefined;
}

/** The refusal for the template, the sender or the variables, checked after the look-up since it depends on state. */
export function refuseContent(
  caller: Caller,
  limits: FloorLimitState,
  key: string,
  body: FloorSendBody,
): FloorResponse | undefined {
  if (key !== templateKey) return refuse(404, 'not_found_error', 'template_not_found', 'No such template.', limits);
  if (body.template !== undefined && body.template !== key) {
    return refuse(422, 'validation_error', 'validation_failed', 'template differs from the path.', limits);
  }
  if (body.from !== undefined && !body.from.email.endsWith(`@${caller.sending_domain}`)) {
    return refuse(422, 'validation_error', 'from_not_allowed', 'from is on a foreign domain.', limits);
  }
  if (!validateVariables(body.variables)) {
    return refuseFaults('variables_invalid', 'variables.', validateVariables.errors, limits);
  }
  return undefined;
}

function refuseFaults(
  code: string,
  prefix: string,
  errors: ErrorObject[] | null | undefined,
  limits: FloorLimitState,
): FloorResponse {
  const details = (errors ?? []).map((error) => ({
    path: prefix + error.instancePath.slice(1).replaceAll('/', '.'),
    code: error.keyword,
    message: error.message ?? 'is not valid',
  }));
  return refuse(422, 'validation_error', code, 'The request is not valid.', limits, details);
}

/** An error envelope. */
export function refuse(
  status: number,
  type: string,
  code: string,
  message: string,
  limits?: FloorLimitState,
  details?: unknown[],
): FloorResponse {
  const body = JSON.stringify({ error: { type, code, message, details } });
  return limits === undefined ? { status, body } : { status, body, limits };
}

/** The answer if a record is stored for a request with this fingerprint: its replay, or 409. */
export function replay(
  record: { fingerprint: string; body: string },
  fingerprint: string,
  limits: FloorLimitState,
): FloorResponse {
  if (record.fingerprint === fingerprint) return { status: 202, body: record.body, limits, replay: true };
  return refuse(409, 'conflict_error', 'idempotency_key_mismatch', 'The key was used for another request.', limits);
}

/** Computes the rows' values and the answer of one send. */
export function acceptSend(caller: Caller, body: FloorSendBody, suppressed: boolean, now: number): AcceptedSend {
  const id = createId('snd_', now);
  const messageId = createId('msg_', now);
  const timelineId = createId('evt_', now);
  const from = body.from ?? { email: caller.from_email, name: caller.from_name };
  const status = suppressed ? 'suppressed' : 'sent';
  const eventType = suppressed ? 'transactional.suppressed' : 'send.queued';
  const renderedSubject = plainLiquid.renderSync(parsedSubject, body.variables) as string;
  const createdAt = new Date(now).toISOString();
  return {
    now,
    id,
    messageId,
    jobId: createId('job_', now),
    timelineId,
    eventId: createId('evt_', now),
    auditId: createId('aud_', now),
    status,
    eventType,
    to: body.to,
    from: JSON.stringify(from),
    subject: renderedSubject,
    tags: body.tags === undefined ? '[]' : JSON.stringify(body.tags),
    metadata: body.metadata === undefined ? null : JSON.stringify(body.metadata),
    jobPayload: `{"sendId":"${id}"}`,
    eventPayload: JSON.stringify({ sendId: id, messageId, templateKey, to: body.to, metadata: body.metadata }),
    auditMetadata: JSON.stringify({ template: templateKey, to_domain: body.to.slice(body.to.indexOf('@') + 1) }),
    answer: JSON.stringify({
      id,
      messageId,
      status,
      templateKey,
      templateVersion: 1,
      to: body.to,
      from,
      subject: renderedSubject,
      connectorProvider: 'smtp',
      apiKeyId: caller.key_id,
      sandbox: false,
      tags: body.tags ?? [],
      metadata: body.metadata,
      createdAt,
      opens: 0,
      clicks: 0,
      events: [{ id: timelineId, type: eventType, ts: createdAt }],
    }),
  };
}

/** Writes an answer with its headers. The body is already a string, so nothing is serialised twice. */
export function writeFloorResponse(reply: FastifyReply, answer: FloorResponse, requestId: string): void {
  reply.code(answer.status).header('content-type', 'application/json; charset=utf-8').header('x-request-id', requestId);
  const limits = answer.limits;
  if (limits !== undefined) {
    reply
      .header('x-ratelimit-limit', limits.limit)
      .header('x-ratelimit-remaining', limits.remaining)
      .header('x-ratelimit-reset', new Date(limits.resetAt).toISOString())
      .header('x-ratelimit-scope', limits.scope);
    if (limits.retryAfter > 0) reply.header('retry-after', limits.retryAfter);
  }
  if (answer.status === 401) reply.header('www-authenticate', 'Bearer');
  if (answer.replay) reply.header('idempotent-replay', 'true');
  reply.send(answer.body);
}
