// The parts of the OpenAPI document that many operations share: security, headers of requests and answers. Pure data.
import type { Operation } from '../contract/declaration/operation.ts';
import { supportsConditions } from './openapi-successes.ts';
import type { JsonSchema } from './schema-parts.ts';

/** API keys as bearer tokens. */
export const securitySchemes = (name: string): JsonSchema => ({
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: `A key of ${name}. Its scopes decide which operations it may call; a test key reaches no real mailbox.`,
  },
});

const changeParameters: JsonSchema = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes retries safe: for 24 hours, the same key with the same input gets the response of the first request, with Idempotent-Replay: true. ' +
      'If x-idempotency is not replay, the key is only written into the audit entry. Required for sends from the plan pro up.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
    example: 'order-1042',
  },
  DryRun: {
    name: 'Dry-Run',
    in: 'header',
    required: false,
    description:
      'true runs the call and stores nothing: the response shows the result of the real call, and its Dry-Run-* headers show its effects.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
};

const ifMatchParameter: JsonSchema = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'Changes the resource only if it still has one of these entity tags (RFC 9110): otherwise 412 version_conflict. * accepts any version.',
    schema: { type: 'string' },
    example: '"3"',
  },
};

const ifNoneMatchParameter: JsonSchema = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'Entity tags of responses that the client has: 304 without a body if one of them is current.',
    schema: { type: 'string' },
    example: '"3"',
  },
};

const text = (description: string, extra: JsonSchema = {}): JsonSchema => ({
  description,
  schema: { type: 'string', ...extra },
});
const integer = (description: string): JsonSchema => ({ description, schema: { type: 'integer', minimum: 0 } });

const commonHeaders: JsonSchema = {
  'X-Request-Id': text('The id of this request in the log.', { examples: ['req_01JD0C8Z4V6QK3M9T2X5R7W8YB'] }),
  'X-RateLimit-Limit': integer('The size of the limit with the smaller remaining share.'),
  'X-RateLimit-Remaining': integer('The remaining requests of this limit.'),
  'X-RateLimit-Reset': text('When the full limit is available again.', { format: 'date-time' }),
  'X-RateLimit-Scope': text('The limit to which these values belong: the limit of the key or of the workspace.', {
    enum: ['key', 'workspace'],
  }),
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': text('The required authentication scheme.'),
};

const replayHeaders: JsonSchema = {
  'Idempotent-Replay': text('true if the response was stored for the Idempotency-Key.', { enum: ['true'] }),
};

const dryRunHeaders: JsonSchema = {
  'Dry-Run': text('true in the response of a dry run.', { enum: ['true'] }),
  'Dry-Run-Credits': integer('Credits that the call would have cost.'),
  'Dry-Run-Events': text(
    'Events that the call would have emitted, separated by commas; percent-encoded if a name is not plain ASCII.',
  ),
  'Dry-Run-Jobs': text('Kinds of jobs that the call would have started, separated by commas.'),
};

const versionHeaders: JsonSchema = {
  ETag: text('The version of the response as a strong entity tag (RFC 9110), for If-Match and If-None-Match.', {
    examples: ['"3"'],
  }),
};

const representationHeaders: JsonSchema = {
  Vary: text('Accept: the operation can respond in several media types.', { enum: ['Accept'] }),
};

const deprecationHeaders: JsonSchema = {
  Deprecation: text('The date since which the operation is deprecated (RFC 9745).'),
  Sunset: text('The date on which the operation ends (RFC 8594).'),
  Link: text('The address of the deprecation notice (RFC 8288).'),
};

/** The request headers of these operations. */
export function parameters(operations: readonly Operation[]): JsonSchema {
  return {
    ...(operations.some(({ idempotency }) => idempotency !== 'read') ? changeParameters : {}),
    ...(operations.some(({ ifMatch }) => ifMatch) ? ifMatchParameter : {}),
    ...(operations.some(supportsConditions) ? ifNoneMatchParameter : {}),
  };
}

/** The answer headers of these operations. */
export function headers(operations: readonly Operation[]): JsonSchema {
  return {
    ...commonHeaders,
    ...(operations.some(({ idempotency }) => idempotency === 'replay') ? replayHeaders : {}),
    ...(operations.some(({ idempotency }) => idempotency !== 'read') ? dryRunHeaders : {}),
    ...(operations.some(({ entityTag }) => entityTag !== undefined) ? versionHeaders : {}),
    ...(operations.some(({ representations }) => representations.size > 0) ? representationHeaders : {}),
    ...(operations.some(({ deprecated }) => deprecated !== undefined) ? deprecationHeaders : {}),
  };
}
