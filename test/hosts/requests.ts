// A table of requests to which every host and service.fetch give equal answers. Used by the tests of hosts.
import { type HostBench, maxBodyBytes } from './bench.ts';
import { publicRequests } from './public-requests.ts';

/** One request of the table and its expected answer. */
export interface TableRequest {
  readonly name: string;
  readonly method: string;
  /** The path below the mount point. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** True if the request is sent without a Content-Length. */
  readonly chunked?: boolean;
  readonly status: number;
  /** The error code; absent if the call succeeds. */
  readonly code?: string;
  /** Headers that must be present, by lower-case name. */
  readonly expected?: Readonly<Record<string, string>>;
  /** Text that the body must contain. */
  readonly contains?: string;
  /** The answer is a stream of unknown length, without Content-Length. */
  readonly streamed?: true;
  /** The answer has no body, but may state a length: HEAD and 304. */
  readonly bare?: true;
  /** The name of the earlier request whose body this answer must equal. */
  readonly repeats?: string;
}

const sendPath = '/v1/templates/receipt/send';
const message = JSON.stringify({ to: 'ada@example.com', variables: { name: 'Ada Lovelace – ünïcode' } });
const sendOfSize = (bytes: number) => JSON.stringify({ to: 'ada@example.com', variables: { name: 'x'.repeat(bytes) } });

/** The table of requests. */
export function hostRequests({ liveKey, narrowKey }: Pick<HostBench, 'liveKey' | 'narrowKey'>): TableRequest[] {
  const authorization = `Bearer ${liveKey}`;
  const json = { authorization, 'content-type': 'application/json' };
  const send = { method: 'POST', path: sendPath };
  const get = { method: 'GET', headers: { authorization } };
  return [
    {
      ...send,
      name: 'a send',
      headers: { ...json, 'idempotency-key': 'one' },
      body: message,
      status: 202,
      contains: 'Thank you, Ada Lovelace – ünïcode',
    },
    {
      ...send,
      name: 'its replay',
      headers: { ...json, 'idempotency-key': 'one' },
      body: message,
      status: 202,
      expected: { 'idempotent-replay': 'true' },
      repeats: 'a send',
    },
    {
      ...send,
      name: 'the same key with another body',
      headers: { ...json, 'idempotency-key': 'one' },
      body: message.replace('ada@', 'eve@'),
      status: 409,
      code: 'idempotency_key_mismatch',
    },
    {
      ...send,
      name: 'a send without a Content-Length',
      headers: { ...json, 'idempotency-key': 'two' },
      body: message,
      chunked: true,
      status: 202,
    },
    {
      ...send,
      name: 'a dry run',
      headers: { ...json, 'idempotency-key': 'three', 'dry-run': 'true' },
      body: message,
      status: 202,
      expected: { 'dry-run': 'true', 'dry-run-events': 'send.queued', 'dry-run-jobs': 'email.deliver' },
    },
    {
      ...send,
      name: 'no key',
      headers: { 'content-type': 'application/json' },
      body: message,
      status: 401,
      code: 'invalid_api_key',
      expected: { 'www-authenticate': 'Bearer realm="Postrider"' },
    },
    {
      ...send,
      name: 'no key and a broken body',
      headers: { 'content-type': 'application/json' },
      body: '{',
      status: 401,
      code: 'invalid_api_key',
    },
    {
      ...send,
      name: 'a key without the scope',
      headers: { ...json, authorization: `Bearer ${narrowKey}` },
      body: message,
      status: 403,
      code: 'insufficient_scope',
      contains: 'templates:send',
    },
    { ...get, name: 'an unknown path', path: '/v1/nothing', status: 404, code: 'route_not_found' },
    { ...get, name: 'the root of the mount', path: '/', status: 404, code: 'route_not_found' },
    {
      ...get,
      name: 'an unknown path that a browser opens',
      path: '/nothing',
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      status: 404,
      contains:
        '<h1>Page not found</h1>\n<p>There is no page at this address. It may have moved, or the address may contain a mistake.</p>',
      expected: { 'content-type': 'text/html; charset=utf-8', vary: 'Accept, Accept-Language' },
    },
    {
      ...get,
      name: 'an unknown path of the API that a browser opens',
      path: '/v1/nothing',
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
      status: 404,
      code: 'route_not_found',
    },
    { ...get, name: 'an unknown template', path: '/v1/templates/none', status: 404, code: 'template_not_found' },
    {
      ...get,
      name: 'letters beyond ASCII in the path',
      path: '/v1/templates/b%C3%BCcher%2F%F0%9F%92%8C%20%25',
      status: 404,
      code: 'template_not_found',
      contains: 'bücher/💌 %',
    },
    {
      ...get,
      name: 'a path that does not decode',
      path: '/v1/templates/%E0%A4%A',
      status: 404,
      code: 'template_not_found',
    },
    {
      name: 'another method',
      method: 'PUT',
      path: '/v1/templates/receipt',
      headers: json,
      body: '{}',
      status: 405,
      code: 'method_not_allowed',
      expected: { allow: 'GET, PATCH, DELETE' },
    },
    {
      name: 'OPTIONS',
      method: 'OPTIONS',
      path: sendPath,
      headers: {},
      status: 405,
      code: 'method_not_allowed',
      expected: { allow: 'POST' },
    },
    { ...send, name: 'a body that is not JSON', headers: json, body: '{"to":', status: 400, code: 'json_invalid' },
    {
      ...send,
      name: 'a JSON body that is not an object',
      headers: { ...json, 'idempotency-key': 'four' },
      body: '"text"',
      status: 422,
      code: 'validation_failed',
    },
    {
      ...send,
      name: 'plain text',
      headers: { authorization, 'content-type': 'text/plain' },
      body: message,
      status: 415,
      code: 'media_type_unsupported',
    },
    {
      ...send,
      name: 'a form',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'to=ada%40example.com',
      status: 415,
      code: 'media_type_unsupported',
    },
    {
      ...send,
      name: 'a JSON type with a suffix',
      headers: { authorization, 'content-type': 'application/vnd.acme+json; charset=utf-8', 'idempotency-key': 'five' },
      body: message,
      status: 415,
      code: 'media_type_unsupported',
    },
    {
      ...send,
      name: 'a body over the limit',
      headers: json,
      body: sendOfSize(maxBodyBytes),
      status: 413,
      code: 'payload_too_large',
    },
    {
      ...send,
      name: 'a body over the limit without a Content-Length',
      headers: json,
      body: sendOfSize(maxBodyBytes),
      chunked: true,
      status: 413,
      code: 'payload_too_large',
    },
    {
      ...send,
      name: "a body over every parser's limit",
      headers: json,
      body: sendOfSize(200_000),
      status: 413,
      code: 'payload_too_large',
      contains: String(maxBodyBytes),
    },
    {
      ...send,
      name: 'no body',
      headers: { ...json, 'idempotency-key': 'six' },
      status: 422,
      code: 'validation_failed',
    },
    {
      ...send,
      name: 'an unknown field',
      headers: { ...json, 'idempotency-key': 'seven' },
      body: JSON.stringify({ to: 'ada@example.com', varaibles: {} }),
      status: 422,
      code: 'validation_failed',
      contains: 'varaibles',
    },
    {
      ...get,
      name: 'a query parameter given twice',
      path: '/v1/suppressions?reason=manual&reason=complaint&limit=5',
      status: 422,
      code: 'validation_failed',
      contains: '"path":"reason"',
    },
    { ...get, name: 'a query', path: '/v1/suppressions?limit=5', status: 200, contains: '"next_cursor":null' },
    {
      ...get,
      name: 'a request id of the caller',
      path: '/v1/workspace',
      headers: { authorization, 'x-request-id': 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
      status: 200,
      expected: { 'x-request-id': 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
    },
    {
      ...get,
      name: 'a request id of another format',
      path: '/v1/workspace',
      headers: { authorization, 'x-request-id': 'mine' },
      status: 200,
    },
    {
      name: 'a DELETE with letters beyond ASCII',
      method: 'DELETE',
      path: '/v1/suppressions/ada%2Bnews%40b%C3%BCcher.example',
      headers: { authorization },
      status: 200,
      contains: 'ada+news@',
    },
    {
      method: 'GET',
      headers: { authorization, 'accept-encoding': 'identity' },
      name: 'the OpenAPI document',
      path: '/v1/openapi.json',
      status: 200,
      contains: '"openapi":"3.1',
    },
    {
      method: 'GET',
      headers: { authorization, 'accept-encoding': 'br, gzip' },
      name: 'the OpenAPI document, compressed',
      path: '/v1/openapi.json',
      status: 200,
      expected: { 'content-encoding': 'br', vary: 'Accept-Encoding' },
    },
    ...publicRequests,
  ];
}
