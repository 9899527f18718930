// Ways to call one service, and the comparison of answers with the table of requests. Used by the tests of hosts.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import type { TableRequest } from './requests.ts';

/** An answer as seen by a client. */
export interface HostResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A way to call one service. */
export type HostClient = (request: TableRequest) => Promise<HostResponse>;

/** The headers that must be equal on every host. */
export const comparedHeaders = [
  'content-type',
  'content-range',
  'content-disposition',
  'accept-ranges',
  'cache-control',
  'content-encoding',
  'etag',
  'last-modified',
  'retry-after',
  'www-authenticate',
  'allow',
  'idempotent-replay',
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-scope',
  'dry-run',
  'dry-run-credits',
  'dry-run-events',
  'dry-run-jobs',
];

/** Sends the whole table through a host, in order. */
export async function requestAll(
  client: HostClient,
  requests: readonly TableRequest[],
): Promise<Map<string, HostResponse>> {
  const answers = new Map<string, HostResponse>();
  for (const request of requests) answers.set(request.name, await client(request));
  return answers;
}

/** Compares one answer with the table. */
export function checkResponse(request: TableRequest, answers: ReadonlyMap<string, HostResponse>): void {
  const { name, status, code, expected = {}, contains, repeats } = request;
  const answer = answers.get(name);
  assert.ok(answer, `${name} was not answered`);
  assert.is(answer.status, status, `${name}: ${answer.body.slice(0, 300)}`);
  const isRefusal = status >= 400 && answer.headers['content-type']?.startsWith('application/json') === true;
  const error = isRefusal ? (JSON.parse(answer.body) as { error: { code: string } }).error : undefined;
  assert.is(error?.code, code, name);
  for (const [header, value] of Object.entries(expected))
    assert.is(answer.headers[header], value, `${name}: ${header}`);
  assert.match(answer.headers['x-request-id'] ?? '', /^req_[0-9A-Z]{26}$/, name);
  if (contains !== undefined) assert.ok(answer.body.includes(contains), `${name}: ${answer.body.slice(0, 500)}`);
  if (repeats !== undefined) assert.is(answer.body, answers.get(repeats)?.body, name);
}

/** A body as text. Compressed bytes stay as they are, one character per byte. */
export const bodyText = (bytes: Uint8Array, coding: string | null | undefined): string =>
  Buffer.from(bytes).toString(typeof coding === 'string' ? 'latin1' : 'utf8');

/** The number of bytes of a body as transferred. */
export const lengthOf = ({ body, headers }: HostResponse): number =>
  Buffer.byteLength(body, headers['content-encoding'] === undefined ? 'utf8' : 'latin1');

/** The answer from a response of fetch, global or the service's. */
export async function hostResponseOf(response: Response): Promise<HostResponse> {
  const { status, headers } = response;
  const body = bodyText(Buffer.from(await response.arrayBuffer()), headers.get('content-encoding'));
  return { status, headers: Object.fromEntries(headers), body };
}

/** Sends a request with its own Host or Accept-Encoding header: fetch does not send Host, and decodes compressed bodies. */
async function askHost(url: string, { method, headers }: TableRequest): Promise<HostResponse> {
  const request = httpRequest(url, { method, headers }).end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const entries = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = bodyText(await buffer(answer), answer.headers['content-encoding']);
  return { status: answer.statusCode ?? 0, headers: Object.fromEntries(entries), body };
}

/** A host on the network, with the service mounted at `mount`. */
export const hostClientTo = (mount: string): HostClient => {
  return async (request) =>
    request.headers['host'] === undefined && request.headers['accept-encoding'] === undefined
      ? hostResponseOf(await fetch(fetchRequest(mount, request)))
      : askHost(`${mount}${request.path}`, request);
};

/** The request in the form of fetch. */
export function fetchRequest(base: string, { method, path, headers, body, chunked }: TableRequest): Request {
  if (body === undefined) return new Request(`${base}${path}`, { method, headers });
  if (!chunked) return new Request(`${base}${path}`, { method, headers, body });
  const stream = new Blob([body]).stream();
  return new Request(`${base}${path}`, { method, headers, body: stream, duplex: 'half' });
}
