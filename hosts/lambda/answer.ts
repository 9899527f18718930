// Translates an answer of the service into what Lambda takes back, in each format, and refuses one that is too large to
// get through. Called by http.ts.
import { isUtf8 } from 'node:buffer';
import { type HttpResponse, isStream } from '../../core/index.ts';
import type { HttpLambdaEvent } from './events.ts';

/** Loads node:http where a load balancer asks, which no cold start elsewhere waits for. */
const statusLine = (status: number): string =>
  `${status} ${process.getBuiltinModule('node:http').STATUS_CODES[status] ?? ''}`.trimEnd();

/** What a function answers to a gateway or a load balancer. */
export interface LambdaHttpResult {
  readonly statusCode: number;
  readonly statusDescription?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly cookies?: readonly string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** Lambda's limit of a result, as JSON: docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html. */
const functionLimit = 6 * 1_048_576;
/** docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html */
const balancerLimit = 1_048_576;
/** Other text of the result than headers and body. */
const frameBytes = 512;

/** How many bytes the result of an event may have, as JSON. A gateway's own limit of 10 MB lies above Lambda's. */
export const resultLimit = ({ kind }: HttpLambdaEvent): number => (kind === 'balancer' ? balancerLimit : functionLimit);

/** The answer does not fit into a result. */
export class ResultTooLarge extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super(`The result of the function would have more than ${limit} bytes.`);
    this.limit = limit;
  }
}

/** Reads a stream to its end, or to the limit. @throws ResultTooLarge */
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
  Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];

/** Text goes through as it is; other bytes in base64, which is a third longer. */
function encoded(bytes: string | Uint8Array, headers: Readonly<Record<string, string>>) {
  if (typeof bytes === 'string') return { body: bytes, isBase64Encoded: false };
  const isPlain = headerNamed(headers, 'content-encoding') === undefined;
  const isText = isPlain && textTypes.test(headerNamed(headers, 'content-type') ?? '') && isUtf8(bytes);
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isText
    ? { body: body.toString('utf8'), isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: body.length > 0 };
}

const isCookie = (name: string): boolean => name.toLowerCase() === 'set-cookie';

/** The headers, without or with only those that set cookies. */
const headersWhere = (headers: Readonly<Record<string, string>>, test: (name: string) => boolean) =>
  Object.entries(headers).filter(([name]) => test(name));

/** Headers in the fields that the format has for them. */
function headersFor(
  given: HttpLambdaEvent,
  headers: Readonly<Record<string, string>>,
): Pick<LambdaHttpResult, 'headers' | 'multiValueHeaders' | 'cookies'> {
  const lists = (some: readonly (readonly [string, string])[]) =>
    Object.fromEntries(some.map(([name, value]) => [name, [value]]));
  const cookies = headersWhere(headers, isCookie);
  const rest = Object.fromEntries(headersWhere(headers, (name) => !isCookie(name)));
  if (given.kind === 'gateway 2')
    return { headers: rest, ...(cookies.length === 0 ? {} : { cookies: cookies.map(([, value]) => value) }) };
  // A load balancer that passes lists takes nothing but lists back.
  if (given.kind === 'balancer')
    return given.event.multiValueHeaders === undefined
      ? { headers }
      : { multiValueHeaders: lists(Object.entries(headers)) };
  return { headers: rest, ...(cookies.length === 0 ? {} : { multiValueHeaders: lists(cookies) }) };
}

/** The headers of an answer, with the Content-Length that its GET has (RFC 9110, section 9.3.2). */
export function sizedHeaders({ status, headers, body }: HttpResponse): Record<string, string> {
  const hasLength = !isStream(body) && status >= 200 && status !== 204 && status !== 304;
  return hasLength ? { ...headers, 'Content-Length': String(Buffer.byteLength(body)) } : headers;
}

/** How many bytes a text has as JSON, but for its quotes. */
function jsonBytes(text: string, isBase64Encoded: boolean): number {
  return isBase64Encoded ? text.length : Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** The result of an event. @throws ResultTooLarge */
export async function resultOf(
  given: HttpLambdaEvent,
  method: string,
  answer: HttpResponse,
): Promise<LambdaHttpResult> {
  const { status } = answer;
  const limit = resultLimit(given);
  const headers = sizedHeaders(answer);
  const whole = method === 'HEAD' ? '' : await wholeBody(answer.body, limit);
  const { body, isBase64Encoded } = encoded(whole, headers);
  const result: LambdaHttpResult = {
    statusCode: status,
    ...(given.kind === 'balancer' ? { statusDescription: statusLine(status) } : {}),
    ...headersFor(given, headers),
    body,
    isBase64Encoded,
  };
  const isNear = body.length + frameBytes > limit / 6;
  if (isNear && jsonBytes(body, isBase64Encoded) + JSON.stringify({ ...result, body: '' }).length > limit)
    throw new ResultTooLarge(limit);
  return result;
}
