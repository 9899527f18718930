// Translates a response of the service into Lambda's result, in each format, and rejects a response that exceeds the size limit.
// Called by http.ts and streaming.ts.
import { isUtf8 } from 'node:buffer';
import { type HttpResponse, isStream } from '../../core/index.ts';
import type { HttpLambdaEvent } from './events.ts';

/** Loads node:http only for a load balancer, so that it does not slow other cold starts. */
const statusLine = (status: number): string =>
  `${status} ${process.getBuiltinModule('node:http').STATUS_CODES[status] ?? ''}`.trimEnd();

/** The result of a function for a gateway or a load balancer. */
export interface LambdaHttpResult {
  readonly statusCode: number;
  readonly statusDescription?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly cookies?: readonly string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** Lambda's limit for a result, as JSON: docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html. */
const functionLimit = 6 * 1_048_576;
/** docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html */
const balancerLimit = 1_048_576;
/** The size of the result apart from headers and body. */
const frameBytes = 512;

/** The maximum size of an event's result, in bytes as JSON. A gateway's own limit of 10 MB is above Lambda's. */
export const resultLimit = ({ kind }: HttpLambdaEvent): number => (kind === 'balancer' ? balancerLimit : functionLimit);

/** Thrown if the response does not fit into a result. */
export class ResultTooLarge extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super(`The result of the function would have more than ${limit} bytes.`);
    this.limit = limit;
  }
}

/** Reads a stream to its end. @throws ResultTooLarge if it exceeds the limit */
async function wholeBody(body: HttpResponse['body'], limit: number): Promise<string | Uint8Array> {
  if (!isStream(body)) return body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) throw new ResultTooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const textTypes = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript)\b|image\/svg\+xml)/i;

const headerNamed = (headers: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.entries(headers).find(([headerName]) => headerName.toLowerCase() === name)?.[1];

/** Text is passed unchanged; other bytes are encoded in base64, which is a third longer. */
function encodeBody(bytes: string | Uint8Array, headers: Readonly<Record<string, string>>) {
  if (typeof bytes === 'string') return { body: bytes, isBase64Encoded: false };
  const isPlain = headerNamed(headers, 'content-encoding') === undefined;
  const isText = isPlain && textTypes.test(headerNamed(headers, 'content-type') ?? '') && isUtf8(bytes);
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isText
    ? { body: body.toString('utf8'), isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: body.length > 0 };
}

const isCookie = (name: string): boolean => name.toLowerCase() === 'set-cookie';

/** The headers whose names match `test`. */
const headersWhere = (headers: Readonly<Record<string, string>>, test: (name: string) => boolean) =>
  Object.entries(headers).filter(([name]) => test(name));

/** The headers in the fields of the result's format. */
function headersFor(
  event: HttpLambdaEvent,
  headers: Readonly<Record<string, string>>,
): Pick<LambdaHttpResult, 'headers' | 'multiValueHeaders' | 'cookies'> {
  const lists = (entries: readonly (readonly [string, string])[]) =>
    Object.fromEntries(entries.map(([name, value]) => [name, [value]]));
  const cookies = headersWhere(headers, isCookie);
  const rest = Object.fromEntries(headersWhere(headers, (name) => !isCookie(name)));
  if (event.kind === 'gateway 2')
    return { headers: rest, ...(cookies.length === 0 ? {} : { cookies: cookies.map(([, value]) => value) }) };
  // A load balancer that passes lists accepts only lists.
  if (event.kind === 'balancer')
    return event.event.multiValueHeaders === undefined
      ? { headers }
      : { multiValueHeaders: lists(Object.entries(headers)) };
  return { headers: rest, ...(cookies.length === 0 ? {} : { multiValueHeaders: lists(cookies) }) };
}

/** The headers of a response, with the Content-Length that its GET has (RFC 9110, section 9.3.2). */
export function sizedHeaders({ status, headers, body }: HttpResponse): Record<string, string> {
  const hasLength = !isStream(body) && status >= 200 && status !== 204 && status !== 304;
  return hasLength ? { ...headers, 'Content-Length': String(Buffer.byteLength(body)) } : headers;
}

/** The number of bytes of a text as JSON, without its quotes. */
function jsonBytes(text: string, isBase64Encoded: boolean): number {
  return isBase64Encoded ? text.length : Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** The result of an event. @throws ResultTooLarge */
export async function resultOf(
  event: HttpLambdaEvent,
  method: string,
  response: HttpResponse,
): Promise<LambdaHttpResult> {
  const { status } = response;
  const limit = resultLimit(event);
  const headers = sizedHeaders(response);
  const bodyBytes = method === 'HEAD' ? '' : await wholeBody(response.body, limit);
  const { body, isBase64Encoded } = encodeBody(bodyBytes, headers);
  const result: LambdaHttpResult = {
    statusCode: status,
    ...(event.kind === 'balancer' ? { statusDescription: statusLine(status) } : {}),
    ...headersFor(event, headers),
    body,
    isBase64Encoded,
  };
  const isNear = body.length + frameBytes > limit / 6;
  if (isNear && jsonBytes(body, isBase64Encoded) + JSON.stringify({ ...result, body: '' }).length > limit)
    throw new ResultTooLarge(limit);
  return result;
}
