// Requests to S3 and to servers with its protocol (docs.aws.amazon.com/AmazonS3/latest/API): signed, streamed, with a time limit.
// Called by s3.ts only.
import type { Agent, Dispatcher } from 'undici';
import { AssetStoreError, isAssetStoreError, type StoredObject } from '../../plugins/assets/port/index.ts';
import { type AwsCredentials, signAwsRequest } from '../kit/aws-signature.ts';
import { openHttpAgent } from '../kit/http-agent.ts';

/** One request. */
export interface S3Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** The key of the object; empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
}

/** The target of the requests. */
export interface S3Connection {
  /** The URL of the bucket, without a slash at its end. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly timeoutMs: number;
  credentials(): Promise<AwsCredentials>;
}

/** Error codes that mean a temporary fault, regardless of the status. */
const transientCodes = new Set([
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'RequestTimeout',
  'OperationAborted',
]);

const codeIn = (xml: string): string => /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(xml)?.[1] ?? '';

/** The error of a response. It contains S3's error code, but nothing else of the response. */
export function refusalOf(status: number, xml: string): AssetStoreError {
  const code = codeIn(xml);
  const message = `S3 answered ${status}${code === '' ? '' : ` ${code}`}.`;
  if (status === 404 && code !== 'NoSuchBucket') return new AssetStoreError('missing', message);
  const isTransient = status >= 500 || status === 429 || status === 408 || transientCodes.has(code);
  return new AssetStoreError(isTransient ? 'transient' : 'refused', message);
}

const fieldOf = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';

/** The objects of a list. */
export const listedIn = (xml: string): StoredObject[] =>
  xml
    .split('<Contents>')
    .slice(1)
    .filter((part) => part.includes('</Contents>'))
    .map((part) => ({
      key: fieldOf(part, 'Key'),
      bytes: Number(fieldOf(part, 'Size')),
      modifiedAt: Date.parse(fieldOf(part, 'LastModified')),
    }));

const maxErrorBytes = 65_536;

/** The beginning of a body as text. The rest is discarded. */
export async function textOf(body: AsyncIterable<Uint8Array>, max = maxErrorBytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > max) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Sends the requests of one adapter. */
export interface S3Client {
  /** The response, if its status is below 300. @throws AssetStoreError, or the reason of the signal */
  send(call: S3Call): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/** The error for a fault below HTTP, such as a time limit or a broken connection. */
function faultOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (isAssetStoreError(error)) return error;
  if (signal?.aborted === true) return signal.reason;
  const code = (error as { code?: unknown } | null)?.code;
  // An error without a code comes from the source of the bytes, not from S3.
  if (typeof code !== 'string') return error;
  const isTimeout = code.endsWith('_TIMEOUT');
  return new AssetStoreError('transient', isTimeout ? 'S3 did not answer in time.' : 'S3 cannot be reached.', {
    cause: error,
  });
}

/** The bytes of a response. If the connection breaks while they are read, an error of the port is thrown. */
export async function* bodyOf(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw faultOf(error, signal);
  }
}

export function createS3Client({ bucketUrl, region, timeoutMs, credentials }: S3Connection): S3Client {
  let agent: Promise<Agent> | undefined;
  const openAgent = () =>
    openHttpAgent({ connectTimeoutMs: timeoutMs, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });

  async function sendOnce(call: S3Call): Promise<Dispatcher.ResponseData> {
    const { method, key, query = {}, body, signal } = call;
    const url = new URL(key === '' ? bucketUrl : `${bucketUrl}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // A stream has no hash before it is read; TLS protects it in transit.
    const bodyHash = 'UNSIGNED-PAYLOAD';
    const headers = signAwsRequest(
      {
        method,
        url: url.href,
        headers: { ...call.headers, 'x-amz-content-sha256': bodyHash },
        body: '',
        bodyHash,
        region,
        service: 's3',
        now: Date.now(),
      },
      await credentials(),
    );
    agent ??= openAgent();
    try {
      signal?.throwIfAborted();
      const answer = await (await agent).request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers,
        // undici accepts any async iterable, although its types declare only some.
        body: (body as Dispatcher.DispatchOptions['body']) ?? null,
        ...(signal === undefined ? {} : { signal }),
      });
      if (answer.statusCode < 300) return answer;
      throw refusalOf(answer.statusCode, await textOf(answer.body));
    } catch (error) {
      throw faultOf(error, signal);
    }
  }

  return {
    async send(call) {
      try {
        return await sendOnce(call);
      } catch (error) {
        // The server may have closed a kept-alive connection meanwhile, so a request without a body is repeated once. A body is a
        // stream, which cannot be sent twice.
        if (call.body !== undefined || !isAssetStoreError(error, 'transient')) throw error;
        return sendOnce(call);
      }
    },
    async close() {
      await (await agent)?.close();
    },
  };
}
