// The error answers of the OpenAPI document: the codes that an operation can return, and one shared response for each set of
// codes. Called by openapi.ts.

import type { Operation } from '../contract/declaration/operation.ts';
import type { ErrorDefinition } from '../contract/errors/errors.ts';
import type { Registry } from '../pipeline/core.ts';
import type { JsonSchema } from './schema-parts.ts';

/** The envelope of every error. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'The body of every error, on REST and on the MCP endpoint.',
  properties: {
    error: {
      type: 'object',
      properties: {
        type: {
          type: 'string',
          description: 'The family of the code.',
          enum: [
            'validation_error',
            'authentication_error',
            'permission_error',
            'billing_error',
            'not_found_error',
            'conflict_error',
            'rate_limit_exceeded',
            'api_error',
          ],
        },
        code: { type: 'string', description: 'Stable: programs can rely on it.' },
        message: { type: 'string', description: 'The fault and how to fix it, for people.' },
        request_id: { type: 'string', description: 'The id of this request in the log.' },
        retry_after_seconds: {
          type: 'number',
          description:
            'Seconds to wait before a retry; may be fractional. The header Retry-After is this number, rounded up.',
        },
        details: {
          type: 'array',
          description: 'One entry for each fault of the input.',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string', description: 'A dotted path into the request.' },
              code: { type: 'string' },
              message: { type: 'string' },
            },
            required: ['path', 'code', 'message'],
          },
        },
        docs_url: { type: 'string' },
      },
      required: ['type', 'code', 'message', 'request_id'],
    },
  },
  required: ['error'],
};

/** The codes that the pipeline itself can return. */
function pipelineCodes(operation: Operation): string[] {
  const { input, idempotency, anyKey, allowWhenSuspended, idempotencyKeyRequiredFromTier } = operation;
  const codes = [
    'invalid_api_key',
    'key_rate_limit',
    'workspace_rate_limit',
    'validation_failed',
    'request_timeout',
    'leash_exceeded',
    'internal_error',
    'service_unavailable',
  ];
  if (!anyKey) codes.push('insufficient_scope');
  if (operation.liveOnly) codes.push('live_key_required');
  if (!allowWhenSuspended) codes.push('workspace_suspended');
  // A body is read and parsed for every method but GET, even if none is expected.
  if (operation.method !== 'GET') codes.push('json_invalid', 'payload_too_large', 'media_type_unsupported');
  if (operation.method !== 'GET') codes.push('body_already_consumed');
  if (input.query !== undefined && 'cursor' in input.query.shape) codes.push('cursor_invalid');
  if (idempotency !== 'read') codes.push('idempotency_key_invalid', 'state_conflict');
  if (idempotency === 'replay') codes.push('idempotency_key_mismatch', 'idempotency_key_in_progress');
  if (operation.representations.size > 0) codes.push('not_acceptable');
  if (operation.ifMatch) codes.push('version_conflict');
  if (idempotencyKeyRequiredFromTier !== undefined && !codes.includes('idempotency_key_invalid'))
    codes.push('idempotency_key_invalid');
  return codes;
}

/** All codes that an operation can return. */
export const codesOf = (operation: Operation): string[] => [...pipelineCodes(operation), ...operation.errors];

/** The definitions of the codes, by status. */
function byStatus(codes: readonly string[], registry: Registry): Map<number, ErrorDefinition[]> {
  const definitionsByStatus = new Map<number, ErrorDefinition[]>();
  for (const code of [...new Set(codes)].sort()) {
    const definition = registry.errors.get(code);
    if (definition !== undefined)
      definitionsByStatus.set(definition.status, [...(definitionsByStatus.get(definition.status) ?? []), definition]);
  }
  return new Map([...definitionsByStatus].sort(([a], [b]) => a - b));
}

const pascalCase = (code: string): string => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
const header = (name: string): JsonSchema => ({ $ref: `#/components/headers/${name}` });
const schemaRef = { $ref: '#/components/schemas/Error' };

function example({ code, type, description }: ErrorDefinition): JsonSchema {
  return { value: { error: { type, code, message: description, request_id: 'req_01JD0C8Z4V6QK3M9T2X5R7W8YB' } } };
}

function responseOf(status: number, definitions: readonly ErrorDefinition[]): JsonSchema {
  const codes = definitions.map(({ code }) => code);
  return {
    description: definitions.map(({ code, description }) => `- \`${code}\`: ${description}`).join('\n'),
    headers: {
      'X-Request-Id': header('X-Request-Id'),
      ...(status === 401 ? { 'WWW-Authenticate': header('WWW-Authenticate') } : {}),
      ...([409, 429, 503].includes(status) ? { 'Retry-After': header('Retry-After') } : {}),
    },
    content: {
      'application/json': {
        schema: {
          allOf: [
            schemaRef,
            {
              type: 'object',
              properties: { error: { type: 'object', properties: { code: { type: 'string', enum: codes } } } },
            },
          ],
        },
        examples: Object.fromEntries(definitions.map((definition) => [definition.code, example(definition)])),
      },
    },
  };
}

/** Collects the responses of all operations: equal sets of codes share one component. */
export interface ErrorResponses {
  /** References to the responses for these codes, by status. */
  use(codes: readonly string[]): Record<string, JsonSchema>;
  responses(): Record<string, JsonSchema>;
}

/** An empty collection. */
export function createErrorResponses(registry: Registry): ErrorResponses {
  const schemas = new Map<string, JsonSchema>();
  return {
    use(codes) {
      const references: Record<string, JsonSchema> = {};
      for (const [status, definitions] of byStatus(codes, registry)) {
        const name = `Error${status}${definitions.map(({ code }) => pascalCase(code)).join('Or')}`;
        if (!schemas.has(name)) schemas.set(name, responseOf(status, definitions));
        references[String(status)] = { $ref: `#/components/responses/${name}` };
      }
      return references;
    },
    responses: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
