// The answer that a client gets from a function on the runtime client: the result of a buffered function, or the stream of a
// function URL. Used by tests of the Lambda host.
import { bodyText, type HostResponse } from '../hosts/host-clients.ts';
import { clientView } from '../hosts/lambda-events.ts';
import type { InvocationResult } from './lambda-runtime.ts';

const preludeType = 'application/vnd.awslambda.http-integration-response';
const delimiter = Buffer.alloc(8);

interface Prelude {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

/** Reads the stream of a function URL: its head as JSON, eight zero bytes, its body. */
function readStream({ payload, contentType }: InvocationResult): HostResponse {
  if (contentType !== preludeType) throw new Error(`A stream of the type ${contentType} is not an HTTP answer.`);
  const end = payload.indexOf(delimiter);
  if (end === -1) throw new Error('The stream of an answer has no head.');
  const { statusCode, headers = {}, cookies = [] } = JSON.parse(payload.subarray(0, end).toString('utf8')) as Prelude;
  const headerPairs = [
    ...Object.entries(headers),
    ...cookies.map((cookie): [string, string] => ['set-cookie', cookie]),
  ];
  const responseHeaders = Object.fromEntries(headerPairs.map(([name, value]) => [name.toLowerCase(), value]));
  const body = bodyText(payload.subarray(end + delimiter.length), responseHeaders['content-encoding']);
  return { status: statusCode, headers: responseHeaders, body };
}

/** The client's answer to an HTTP event. */
export function httpResponseOf(invoked: InvocationResult): HostResponse {
  if (invoked.errorType !== undefined)
    throw new Error(`The function threw ${invoked.errorType}: ${invoked.payload.toString('utf8')}`);
  return invoked.streamed ? readStream(invoked) : clientView(JSON.parse(invoked.payload.toString('utf8')));
}

/** The result of any other event. */
export function resultOf<T>(invoked: InvocationResult): T {
  if (invoked.errorType !== undefined)
    throw new Error(`The function threw ${invoked.errorType}: ${invoked.payload.toString('utf8')}`);
  return JSON.parse(invoked.payload.toString('utf8')) as T;
}
