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

const ofChanges: JsonSchema = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes retries safe: the same key with the same input answers what the first request answered, for 24 hours, with Idempotent-Replay: true. ' +
      'Where x-idempotency is not replay it is only written into the audit entry. Required on sends from the plan pro up.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
    example: 'order-1042',
  },
  DryRun: {
    name: 'Dry-Run',
    in: 'header',
    required: false,
    description:
      'true runs everything and keeps nothing: the answer says what would have been, its Dry-Run-* headers what it would have caused.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
};

const ofIfMatch: JsonSchema = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'Changes the resource only if it still has one of these entity tags (RFC 9110): otherwise 412 version_conflict. * takes any.',
    schema: { type: 'string' },
    example: '"3"',
  },
};

const ofIfNoneMatch: JsonSchema = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'Entity tags of answers that the client has: 304 without a body if one of them is the current one.',
    schema: { type: 'string' },
    example: '"3"',
  },
};

const text = (description: string, extra: JsonSchema = {}): JsonSchema => ({
  description,
  schema: { type: 'string', ...extra },
});
const integer = (description: string): JsonSchema => ({ description, schema: { type: 'integer', minimum: 0 } });

const always: JsonSchema = {
  'X-Request-Id': text('Names this request in the log.', { examples: ['req_01JD0C8Z4V6QK3M9T2X5R7W8YB'] }),
  'X-RateLimit-Limit': integer('Size of the bucket with the smaller share left.'),
  'X-RateLimit-Remaining': integer('What is left of it.'),
  'X-RateLimit-Reset': text('When it is full again.', { format: 'date-time' }),
  'X-RateLimit-Scope': text('The bucket that these figures are about: that of the key or of the workspace.', {
    enum: ['key', 'workspace'],
  }),
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': text('The scheme that is expected.'),
};

const ofReplays: JsonSchema = {
  'Idempotent-Replay': text('true on an answer that was stored for the Idempotency-Key.', { enum: ['true'] }),
};

const ofDryRuns: JsonSchema = {
  'Dry-Run': text('true on the answer of a dry run.', { enum: ['true'] }),
  'Dry-Run-Credits': integer('Credits that the call would have cost.'),
  'Dry-Run-Events': text(
    'Events that it would have emitted, separated by commas; percent-encoded if a name is not plain ASCII.',
  ),
  'Dry-Run-Jobs': text('Kinds of jobs that it would have started, separated by commas.'),
};

const ofVersions: JsonSchema = {
  ETag: text('The version of the answer as a strong entity tag (RFC 9110), for If-Match and If-None-Match.', {
    examples: ['"3"'],
  }),
};

const ofRepresentations: JsonSchema = {
  Vary: text('Accept: the operation answers in more than one media type.', { enum: ['Accept'] }),
};

const ofDeprecation: JsonSchema = {
  Deprecation: text('Since when the operation is deprecated (RFC 9745).'),
  Sunset: text('When it ends (RFC 8594).'),
  Link: text('Where the notice is (RFC 8288).'),
};

/** The request headers of these operations. */
export function parameters(operations: readonly Operation[]): JsonSchema {
  return {
    ...(operations.some(({ idempotency }) => idempotency !== 'read') ? ofChanges : {}),
    ...(operations.some(({ ifMatch }) => ifMatch) ? ofIfMatch : {}),
    ...(operations.some(supportsConditions) ? ofIfNoneMatch : {}),
  };
}

/** The answer headers of these operations. */
export function headers(operations: readonly Operation[]): JsonSchema {
  return {
    ...always,
    ...(operations.some(({ idempotency }) => idempotency === 'replay') ? ofReplays : {}),
    ...(operations.some(({ idempotency }) => idempotency !== 'read') ? ofDryRuns : {}),
    ...(operations.some(({ entityTag }) => entityTag !== undefined) ? ofVersions : {}),
    ...(operations.some(({ representations }) => representations.size > 0) ? ofRepresentations : {}),
    ...(operations.some(({ deprecated }) => deprecated !== undefined) ? ofDeprecation : {}),
  };
}
