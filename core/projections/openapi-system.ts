// The routes of every service that are not operations of a plugin, for the OpenAPI document: the document itself, the
// AsyncAPI document and the MCP endpoint. Called by openapi.ts; system-routes.ts serves them.

import type { ErrorResponses } from './openapi-errors.ts';
import { headerRefs, limitHeaders } from './openapi-successes.ts';
import { release } from './release.ts';
import type { JsonSchema } from './schema-parts.ts';

/** The settings on which the paths depend. */
interface SystemInfo {
  readonly name: string;
  readonly publicOpenapi?: boolean;
}

const admissionCodes = [
  'invalid_api_key',
  'key_rate_limit',
  'workspace_rate_limit',
  'internal_error',
  'service_unavailable',
];

const text = (description: string, extra: JsonSchema = {}): JsonSchema => ({ type: 'string', description, ...extra });
const openObject = (description: string): JsonSchema => ({ type: 'object', description, additionalProperties: true });
const stringHeader = (description: string): JsonSchema => ({ description, schema: { type: 'string' } });

export const systemTags: readonly JsonSchema[] = [
  { name: 'mcp', description: 'The MCP endpoint for editors and agents.' },
  { name: 'openapi', description: 'This document.' },
  { name: 'asyncapi', description: 'The document of the events.' },
  { name: 'health', description: 'For load balancers and orchestrators.' },
];

/** A document that the service generates. */
interface DocumentInfo {
  readonly id: 'openapi' | 'asyncapi';
  readonly summary: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: JsonSchema;
}

const openapiInfo = (name: string): DocumentInfo => ({
  id: 'openapi',
  summary: 'Read the OpenAPI document',
  description:
    'This document, OpenAPI 3.1. It contains every operation of the service. If other documents differ, this document is right.',
  schema: {
    type: 'object',
    properties: {
      openapi: text('The version of the specification.', { examples: ['3.1.0'] }),
      info: openObject('Title, version, description.'),
      servers: { type: 'array', items: openObject('The address of the mounted service.') },
      paths: openObject('The operations, by path and method.'),
      webhooks: openObject('The events, by type.'),
      components: openObject('Shared schemas, parameters, headers and responses.'),
    },
    required: ['openapi', 'info', 'paths', 'components'],
  },
  example: { openapi: '3.1.0', info: { title: `${name} API`, version: release }, paths: {}, components: {} },
});

const asyncapiInfo = (name: string): DocumentInfo => ({
  id: 'asyncapi',
  summary: 'Read the AsyncAPI document',
  description: 'The events that the service sends to subscriptions, as AsyncAPI 3.0: for generators and catalogues.',
  schema: {
    type: 'object',
    properties: {
      asyncapi: text('The version of the specification.', { examples: ['3.0.0'] }),
      info: openObject('Title, version, description.'),
      channels: openObject('The addresses to which events are sent.'),
      operations: openObject('The events, by type.'),
      components: openObject('Their messages and schemas.'),
    },
    required: ['asyncapi', 'info', 'channels', 'operations', 'components'],
  },
  example: {
    asyncapi: '3.0.0',
    info: { title: `${name} events`, version: release },
    channels: {},
    operations: {},
    components: {},
  },
});

const entityHeaders: JsonSchema = {
  ETag: stringHeader('Identifies these bytes: send it as If-None-Match.'),
  'Cache-Control': stringHeader('The document may be cached, but must be revalidated before each use.'),
};

function documentOperation(
  { id, summary, description, schema, example }: DocumentInfo,
  publicOpenapi: boolean,
  errors: ErrorResponses,
): JsonSchema {
  return {
    operationId: `${id}.read`,
    summary,
    description: `${description} The responses have an ETag; with If-None-Match, unchanged bytes are not sent again.\n\n${publicOpenapi ? 'Needs no key.' : 'Needs any valid key.'}`,
    tags: [id],
    'x-scopes': [],
    'x-idempotency': 'read',
    ...(publicOpenapi ? { security: [] } : {}),
    parameters: [
      {
        name: 'If-None-Match',
        in: 'header',
        required: false,
        description: 'The ETag of the document that you have.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      '200': {
        description: 'The document.',
        headers: { ...headerRefs(publicOpenapi ? ['X-Request-Id'] : limitHeaders), ...entityHeaders },
        content: { 'application/json': { schema, example } },
      },
      '304': { description: 'The client already has the current document.', headers: entityHeaders },
      ...errors.use(publicOpenapi ? ['internal_error'] : admissionCodes),
    },
  };
}

const rpcId: JsonSchema = { type: ['string', 'integer'], description: 'Repeated in the response.' };
const rpcVersion: JsonSchema = { type: 'string', const: '2.0' };

const rpcRequest: JsonSchema = {
  type: 'object',
  description: 'A JSON-RPC request, or a notification, which has no id.',
  properties: {
    jsonrpc: rpcVersion,
    id: rpcId,
    method: text('Such as tools/list or tools/call.'),
    params: openObject('The parameters of the method.'),
  },
  required: ['jsonrpc', 'method'],
};

const rpcAnswer: JsonSchema = {
  type: 'object',
  properties: {
    jsonrpc: rpcVersion,
    id: { type: ['string', 'integer', 'null'] },
    result: openObject('The result of the method.'),
    error: {
      type: 'object',
      description:
        'A fault of the protocol. If a tool refuses a call, the response is a result with isError and the error envelope.',
      properties: {
        code: { type: 'integer' },
        message: { type: 'string' },
        data: openObject('The error envelope, if the service refused the message.'),
      },
      required: ['code', 'message'],
    },
  },
  required: ['jsonrpc', 'id'],
};

const rpcContent = (schema: JsonSchema, example: unknown): JsonSchema => ({
  'application/json': { schema, example },
});

const refusedCall = (description: string): JsonSchema => ({
  description,
  headers: headerRefs(['X-Request-Id']),
  content: { 'application/json': { schema: rpcAnswer } },
});

function toolEndpoint(): JsonSchema {
  return {
    operationId: 'mcp.message',
    summary: 'Send a message to the MCP endpoint',
    description:
      'The Model Context Protocol over stateless streamable HTTP, with JSON responses: the operations as tools, for editors and agents. tools/list shows the tools that the key may call, with the schemas of arguments and responses.\n\nNeeds any valid key; each tool needs the scope of its operation.',
    tags: ['mcp'],
    requestBody: {
      required: true,
      content: rpcContent(rpcRequest, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    },
    responses: {
      '200': {
        description: 'The response to a request.',
        headers: headerRefs(limitHeaders),
        content: rpcContent(rpcAnswer, { jsonrpc: '2.0', id: 1, result: { tools: [] } }),
      },
      '202': { description: 'A notification was accepted.', headers: headerRefs(limitHeaders) },
      '400': refusedCall('The message is not valid JSON-RPC, or violates the protocol.'),
      '401': refusedCall('The key is missing or not valid.'),
      '429': refusedCall('Too many requests: wait for Retry-After seconds.'),
    },
  };
}

interface HealthInfo {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly words: Readonly<Record<string, string>>;
}

function healthOperation({ words, ...facts }: HealthInfo): JsonSchema {
  const answers = Object.entries(words).map(([status, word]) => [
    status,
    {
      description: `The status is ${word}.`,
      headers: headerRefs(['X-Request-Id']),
      content: {
        'application/json': {
          schema: { type: 'object', properties: { status: { type: 'string', const: word } }, required: ['status'] },
          example: { status: word },
        },
      },
    },
  ]);
  return {
    ...facts,
    tags: ['health'],
    'x-scopes': [],
    'x-idempotency': 'read',
    security: [],
    responses: Object.fromEntries(answers),
  };
}

/** The path items of these routes. */
export function systemPaths(
  { name, publicOpenapi = false }: SystemInfo,
  errors: ErrorResponses,
): Record<string, JsonSchema> {
  const document = (info: DocumentInfo) => ({ get: documentOperation(info, publicOpenapi, errors) });
  return {
    '/v1/mcp': { post: toolEndpoint() },
    '/v1/openapi.json': document(openapiInfo(name)),
    '/v1/asyncapi.json': document(asyncapiInfo(name)),
    '/v1/health': {
      get: healthOperation({
        operationId: 'health.live',
        summary: 'Check whether the process responds',
        description: 'Needs no key and reads no data.',
        words: { 200: 'ok' },
      }),
    },
    '/v1/health/ready': {
      get: healthOperation({
        operationId: 'health.ready',
        summary: 'Check whether the process can work',
        description:
          'Ready if the database responds, its schema is up to date, and an external queue can be reached. Needs no key. The response contains no reason.',
        words: { 200: 'ready', 503: 'not_ready' },
      }),
    },
  };
}
