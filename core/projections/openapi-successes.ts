// The successes of an operation in the OpenAPI document: its answers in every media type, with their headers. Called by
// openapi-operation.ts and openapi-system.ts.
import type { OperationExample } from '../contract/declaration/example.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import type { RepresentationDeclaration } from '../contract/declaration/representation.ts';
import type { SchemaComponents } from './openapi-components.ts';
import type { JsonSchema } from './schema-parts.ts';

/** The text with a full stop at its end. */
export const sentence = (text: string): string => text.replace(/[.:]?$/, '.');

const headerRef = (name: string): JsonSchema => ({ $ref: `#/components/headers/${name}` });

/** References to these headers, for an answer. */
export const headerRefs = (names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, headerRef(name)]));

/** The headers of every answer to an authenticated request. */
export const limitHeaders = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Scope',
];

/** Whether the operation can answer 304 to a client that already has the answer. */
export const supportsConditions = ({ entityTag, method }: Operation): boolean =>
  entityTag !== undefined && method === 'GET';

const bytesOf = ([type, { description }]: readonly [string, RepresentationDeclaration]): [string, JsonSchema] => {
  const schema = { type: 'string', ...(type.startsWith('text/') ? {} : { format: 'binary' }), description };
  return [type, { schema }];
};

const conditionalHeaders = ({ entityTag, representations }: Operation): string[] => [
  ...(entityTag === undefined ? [] : ['ETag']),
  ...(representations.size === 0 ? [] : ['Vary']),
];

/** The success responses by status: the answer, the second success if there is one, and 304 if a GET has an ETag. */
export function successResponses(
  operation: Operation,
  components: SchemaComponents,
  example: OperationExample | undefined,
): Record<string, JsonSchema> {
  const { idempotency, deprecated, status, output, representations, secondSuccess } = operation;
  const commonHeaders = [...limitHeaders, ...(deprecated === undefined ? [] : ['Deprecation', 'Sunset', 'Link'])];
  const names = [
    ...limitHeaders,
    ...(idempotency === 'replay' ? ['Idempotent-Replay'] : []),
    ...(idempotency === 'read' ? [] : ['Dry-Run', 'Dry-Run-Credits', 'Dry-Run-Events', 'Dry-Run-Jobs']),
    ...(deprecated === undefined ? [] : ['Deprecation', 'Sunset', 'Link']),
  ];
  const json = {
    schema: components.use(output, 'output'),
    ...(example === undefined ? {} : { example: example.answer }),
  };
  const responses: Record<string, JsonSchema> = {
    [String(status)]: {
      description: sentence(operation.summary),
      headers: headerRefs([...names, ...conditionalHeaders(operation)]),
      content: { 'application/json': json, ...Object.fromEntries([...representations].map(bytesOf)) },
    },
  };
  if (secondSuccess !== undefined) {
    responses[String(secondSuccess.status)] = {
      description: sentence(secondSuccess.description),
      headers: headerRefs(names),
      content: { 'application/json': { schema: components.use(secondSuccess.output, 'output') } },
    };
  }
  if (supportsConditions(operation)) {
    const headers = headerRefs([...commonHeaders, ...conditionalHeaders(operation)]);
    responses['304'] = { description: 'If-None-Match names the answer that the client has.', headers };
  }
  return responses;
}
