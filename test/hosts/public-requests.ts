// The part of the table that calls public routes: hosts, forms, exact bytes, files, streams, limits. Used by
// requests.ts.
import { createHash } from 'node:crypto';
import { fileModifiedAt, fileText } from './host-test-plugin.ts';
import type { TableRequest } from './requests.ts';

const get = { method: 'GET', headers: {} };
const post = { method: 'POST' };
const getFrom = (host: string) => ({ method: 'GET', headers: { host } });
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const digestOf = (bytes: string) => createHash('sha256').update(bytes).digest('hex');

/** Exact bytes that no serializer would reproduce: spaces, an escape, a repeated key. */
const signedText = '{ "event" : "caf\\u00e9",\n  "event": 1e2 }';
const modifiedHeader = new Date(fileModifiedAt).toUTCString();
const before = new Date(fileModifiedAt - 1_000).toUTCString();

const hostRows: TableRequest[] = [
  {
    ...getFrom('go.example'),
    name: 'a route of a host',
    path: '/abc',
    status: 200,
    contains: 'short abc on go.example',
  },
  {
    ...getFrom('GO.Example:8443'),
    name: 'a host in capital letters and with a port',
    path: '/abc',
    status: 200,
    contains: 'short abc on go.example',
  },
  {
    ...getFrom('xn--bcher-kva.example'),
    name: 'a host name beyond ASCII',
    path: '/a%20b',
    status: 200,
    contains: 'short a b on xn--bcher-kva.example',
  },
  {
    ...getFrom('ada.customers.example'),
    name: 'a host that a function accepts',
    path: '/abc',
    status: 200,
    contains: 'page abc on ada.customers.example',
  },
  {
    ...getFrom('eve.customers.example'),
    name: 'a host that the handler refuses',
    path: '/abc',
    status: 404,
    code: 'route_not_found',
  },
  {
    ...getFrom('eve.customers.example'),
    name: 'the next route after a handler refused the request',
    path: '/everywhere',
    status: 200,
    contains: 'everywhere',
  },
  {
    ...getFrom('go.example'),
    name: 'the route of a host before the same path on every host',
    path: '/everywhere',
    status: 200,
    contains: 'short everywhere on go.example',
  },
  { ...get, name: 'a path of another host', path: '/abc', status: 404, code: 'route_not_found' },
  {
    ...get,
    name: 'a forwarded host from a proxy that is not trusted',
    path: '/abc',
    headers: { 'x-forwarded-host': 'go.example' },
    status: 404,
    code: 'route_not_found',
  },
  {
    ...getFrom('go.example'),
    name: 'the API on the host of a route',
    path: '/v1/workspace',
    status: 401,
    code: 'invalid_api_key',
  },
  {
    ...getFrom('go.example'),
    name: 'another method of a route of a host',
    method: 'DELETE',
    path: '/abc',
    status: 405,
    code: 'method_not_allowed',
    expected: { allow: 'GET' },
  },
];

const bodyRows: TableRequest[] = [
  {
    ...post,
    name: 'the exact bytes of a body',
    path: '/hooks/provider',
    headers: { 'content-type': 'application/octet-stream' },
    body: signedText,
    status: 200,
    contains: `${Buffer.byteLength(signedText)} ${digestOf(signedText)}`,
  },
  {
    ...post,
    name: 'the exact bytes without a Content-Length',
    path: '/hooks/provider',
    headers: { 'content-type': 'application/octet-stream' },
    body: signedText,
    chunked: true,
    status: 200,
    contains: digestOf(signedText),
  },
  {
    ...post,
    name: 'an empty body',
    path: '/hooks/provider',
    headers: {},
    status: 200,
    contains: `0 ${digestOf('')}`,
  },
  {
    ...post,
    name: "a body over a route's own limit",
    path: '/hooks/provider',
    headers: { 'content-type': 'application/octet-stream' },
    body: 'x'.repeat(10_001),
    chunked: true,
    status: 413,
    code: 'payload_too_large',
    contains: '10000 bytes',
  },
  {
    ...post,
    name: 'the fields of a form',
    path: '/form',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    body: 'name=Ada+Lovelace&tag=a&tag=b%26c&empty=&%C3%BC=%F0%9F%92%8C',
    status: 200,
    contains: JSON.stringify([
      ['name', 'Ada Lovelace'],
      ['tag', 'a'],
      ['tag', 'b&c'],
      ['empty', ''],
      ['ü', '💌'],
    ]),
  },
  {
    ...post,
    name: 'a form with too many fields',
    path: '/form',
    headers: form,
    body: 'a&'.repeat(1_000),
    status: 422,
    code: 'validation_failed',
  },
  {
    ...post,
    name: 'JSON where a form is wanted',
    path: '/form',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    status: 415,
    code: 'media_type_unsupported',
    contains: 'application/x-www-form-urlencoded',
  },
  {
    ...post,
    name: 'a form with files',
    path: '/form',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: '--x--\r\n',
    status: 415,
    code: 'media_type_unsupported',
  },
  {
    ...post,
    name: 'a text that is read twice',
    path: '/text',
    headers: { 'content-type': 'text/plain' },
    body: 'grüße',
    status: 200,
    contains: 'grüße|7',
  },
];

const file = { ...get, path: '/file' };
const rangeRequest = (range: string, more: Record<string, string> = {}) => ({
  ...file,
  headers: { range, ...more },
});

const fileRows: TableRequest[] = [
  {
    ...file,
    name: 'a file',
    status: 200,
    contains: fileText,
    expected: {
      etag: '"v1"',
      'content-length': '3000',
      'accept-ranges': 'bytes',
      'last-modified': modifiedHeader,
      'cache-control': 'public, max-age=60',
      'content-disposition': `attachment; filename="_ber__digits_.txt"; filename*=UTF-8''%C3%9Cber_%E2%80%9Cdigits%E2%80%9D.txt`,
    },
  },
  {
    ...file,
    name: 'a file that the client already has',
    headers: { 'if-none-match': 'W/"v0", "v1"' },
    status: 304,
    bare: true,
  },
  { ...file, name: 'a file of which the client has an old version', headers: { 'if-none-match': '"v0"' }, status: 200 },
  {
    ...file,
    name: 'a file that was not modified since the date',
    headers: { 'if-modified-since': modifiedHeader },
    status: 304,
    bare: true,
    expected: { etag: '"v1"' },
  },
  { ...file, name: 'a file that was modified since the date', headers: { 'if-modified-since': before }, status: 200 },
  {
    ...file,
    name: 'an entity tag that takes precedence over a date',
    headers: { 'if-none-match': '"v0"', 'if-modified-since': modifiedHeader },
    status: 200,
  },
  { ...file, name: 'a file with an If-Match that does not match', headers: { 'if-match': '"v0"' }, status: 412 },
  {
    ...rangeRequest('bytes=0-4'),
    name: 'the first bytes of a file',
    status: 206,
    contains: '01234',
    expected: { 'content-range': 'bytes 0-4/3000', 'content-length': '5', etag: '"v1"' },
  },
  {
    ...rangeRequest('bytes=2995-'),
    name: 'a file from a position to its end',
    status: 206,
    contains: '56789',
    expected: { 'content-range': 'bytes 2995-2999/3000' },
  },
  {
    ...rangeRequest('bytes=-3'),
    name: 'the last bytes of a file',
    status: 206,
    contains: '789',
    expected: { 'content-range': 'bytes 2997-2999/3000' },
  },
  {
    ...rangeRequest('bytes=990-9999999999999999999999'),
    name: 'a range beyond the end',
    status: 206,
    expected: { 'content-range': 'bytes 990-2999/3000', 'content-length': '2010' },
  },
  {
    ...rangeRequest('bytes=3000-'),
    name: 'a range after the end',
    status: 416,
    expected: { 'content-range': 'bytes */3000' },
  },
  { ...rangeRequest('bytes=-0'), name: 'a range of the last 0 bytes', status: 416 },
  { ...rangeRequest('bytes=5-2'), name: 'a malformed range', status: 200, expected: { 'content-length': '3000' } },
  { ...rangeRequest('lines=1-2'), name: 'a range of another unit', status: 200 },
  { ...rangeRequest('bytes=0-4,10-14'), name: 'several ranges', status: 200, expected: { 'content-length': '3000' } },
  {
    ...rangeRequest('bytes=0-4', { 'if-range': '"v1"' }),
    name: 'a range of a file that the client already has',
    status: 206,
  },
  { ...rangeRequest('bytes=0-4', { 'if-range': 'W/"v1"' }), name: 'a range with a weak tag', status: 200 },
  { ...rangeRequest('bytes=0-4', { 'if-range': '"v0"' }), name: 'a range of a file that has changed', status: 200 },
  {
    ...rangeRequest('bytes=0-4', { 'if-range': modifiedHeader }),
    name: 'a range with the date of the file',
    status: 206,
  },
  { ...rangeRequest('bytes=0-4', { 'if-range': before }), name: 'a range with an older date', status: 200 },
  {
    ...rangeRequest('bytes=0-4'),
    name: 'HEAD of a file',
    method: 'HEAD',
    status: 200,
    bare: true,
    expected: { etag: '"v1"', 'content-length': '3000', 'accept-ranges': 'bytes' },
  },
  { ...get, name: 'a stream', path: '/stream', status: 200, streamed: true, contains: 'part 0\npart 1\npart 2\n' },
  {
    ...post,
    name: 'a stream while the client is still sending a body',
    path: '/stream',
    headers: { 'content-type': 'application/octet-stream' },
    body: 'x'.repeat(200_000),
    status: 200,
    streamed: true,
    contains: fileText,
  },
  { ...get, name: 'HEAD of a stream', method: 'HEAD', path: '/stream', status: 200, streamed: true },
  {
    ...get,
    name: 'a stream that fails before its first byte',
    path: '/fails/first',
    status: 500,
    code: 'internal_error',
  },
];

const style = { ...get, path: '/docs/reference.css' };

/** Files of pages: compressed if the client accepts that, with the same ETag in every coding. */
const codedRows: TableRequest[] = [
  {
    ...style,
    name: "a page's file, compressed",
    headers: { 'accept-encoding': 'gzip' },
    status: 200,
    expected: { 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
  },
  {
    ...style,
    name: "a page's file in another compression",
    headers: { 'accept-encoding': 'gzip, br' },
    status: 200,
    expected: { 'content-encoding': 'br' },
  },
  {
    ...style,
    name: "a page's file without compression",
    headers: { 'accept-encoding': 'identity' },
    status: 200,
    contains: ':root',
  },
  {
    ...style,
    name: "a page's file that the client already has",
    headers: { 'accept-encoding': 'br', 'if-none-match': '*' },
    status: 304,
    bare: true,
  },
];

const limitRows: TableRequest[] = [
  { ...get, name: 'the first call within a limit', path: '/limited', status: 200 },
  { ...get, name: 'the last call within a limit', path: '/limited?again', status: 200 },
  {
    ...get,
    name: 'a call over a limit',
    path: '/limited',
    status: 429,
    code: 'address_rate_limit',
    contains: '"retry_after_seconds":10',
    expected: { 'retry-after': '10' },
  },
  {
    ...get,
    name: 'a call of a browser over a limit',
    path: '/limited',
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    status: 429,
    contains: '<h1>Too many requests</h1>',
    expected: { 'retry-after': '10', 'content-type': 'text/html; charset=utf-8' },
  },
];

/** The rows, in the order in which they are sent. */
export const publicRequests: readonly TableRequest[] = [
  ...hostRows,
  ...bodyRows,
  ...fileRows,
  ...codedRows,
  ...limitRows,
];
