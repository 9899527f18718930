// A strict in-memory server of the part of S3's protocol that the adapter uses. Every signature is checked with the signer of AWS's
// own SDK, and any other form of request is refused. test/adapters/assets-s3.test.ts checks the server against the SDK's client.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignatureV4 } from '@smithy/signature-v4';

export const s3Key = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
export const region = 'eu-test-1';

/** The hash that the signer needs, implemented with node:crypto. */
export class Sha256 {
  readonly #data: Buffer[] = [];
  readonly #secret: Buffer | undefined;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = secret === undefined ? undefined : bytesOf(secret);
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#data.push(bytesOf(data));
  }
  async digest(): Promise<Uint8Array> {
    const all = Buffer.concat(this.#data);
    if (this.#secret === undefined) return createHash('sha256').update(all).digest();
    const { createHmac } = await import('node:crypto');
    return createHmac('sha256', this.#secret).update(all).digest();
  }
  reset(): void {
    this.#data.length = 0;
  }
}

const bytesOf = (data: string | ArrayBuffer | ArrayBufferView): Buffer =>
  typeof data === 'string'
    ? Buffer.from(data)
    : ArrayBuffer.isView(data)
      ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
      : Buffer.from(data);

export const signer = new SignatureV4({
  credentials: s3Key,
  region,
  service: 's3',
  sha256: Sha256,
  uriEscapePath: false,
  applyChecksum: false,
});

interface StoredObject {
  readonly bytes: Buffer;
  readonly type: string;
  readonly at: Date;
}

/** The faults of the server. Each entry applies once. */
export type StoreFault = 'slow-down' | 'silence' | 'reset' | 'broken-body' | 'copy-error' | 'denied';

export interface S3Server {
  readonly endpoint: string;
  readonly objects: Map<string, StoredObject>;
  readonly faults: StoreFault[];
  /** Requests so far, as `METHOD /path`. */
  readonly seen: string[];
  stop(): Promise<void>;
}

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

const timeOf = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** Compares the signature. @throws Refused */
async function checkSignature(request: IncomingMessage, url: URL): Promise<void> {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const query = Object.fromEntries(url.searchParams);
  const isSignedUrl = query['X-Amz-Signature'] !== undefined;
  const authorization = /SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(headers['authorization'] ?? '');
  const names = isSignedUrl ? query['X-Amz-SignedHeaders'] : authorization?.[1];
  const signature = isSignedUrl ? query['X-Amz-Signature'] : authorization?.[2];
  const time = isSignedUrl ? query['X-Amz-Date'] : headers['x-amz-date'];
  if (names === undefined || signature === undefined || time === undefined) throw new Refused(403, 'AccessDenied');
  const age = Date.now() - timeOf(time);
  const max = isSignedUrl ? Number(query['X-Amz-Expires']) * 1_000 : 900_000;
  if (!(age < max && age > -900_000)) throw new Refused(403, 'AccessDenied');
  const signedHeaders = Object.fromEntries(names.split(';').map((name) => [name, headers[name] ?? '']));
  const requiredNames = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (requiredNames.some((name) => !(name in signedHeaders))) throw new Refused(403, 'AccessDenied');
  const { 'X-Amz-Signature': _, ...unsigned } = query;
  const parts = {
    method: request.method ?? '',
    protocol: 'http:',
    hostname: url.hostname,
    path: url.pathname,
    headers: signedHeaders,
    query: isSignedUrl ? unsigned : query,
  };
  const options = { signingDate: new Date(timeOf(time)), signingRegion: region };
  const expectedSignature = isSignedUrl
    ? (
        await signer.presign(
          {
            ...parts,
            query: presignInput(unsigned),
            headers: { ...signedHeaders, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
          },
          {
            ...options,
            expiresIn: Number(query['X-Amz-Expires']),
            unhoistableHeaders: new Set([...Object.keys(signedHeaders), 'x-amz-content-sha256']),
            unsignableHeaders: new Set(['x-amz-content-sha256']),
            signableHeaders: new Set(Object.keys(signedHeaders)),
          },
        )
      ).query?.['X-Amz-Signature']
    : /Signature=([0-9a-f]{64})$/.exec((await signer.sign(parts, options)).headers['authorization'] ?? '')?.[1];
  if (expectedSignature !== signature) throw new Refused(403, 'SignatureDoesNotMatch');
}

const presignInput = (query: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !name.startsWith('X-Amz-')));

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function listOf(objects: ReadonlyMap<string, StoredObject>, query: URLSearchParams): string {
  if (query.get('list-type') !== '2') throw new Refused(400, 'InvalidArgument');
  const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? ''];
  const max = Number(query.get('max-keys') ?? 1_000);
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const entries = keys.slice(0, max).map((key) => {
    const { bytes, at } = objects.get(key) as StoredObject;
    return `<Contents><Key>${escapeXml(key)}</Key><LastModified>${at.toISOString()}</LastModified><ETag>&quot;0&quot;</ETag><Size>${bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>files</Name><IsTruncated>${keys.length > max}</IsTruncated><KeyCount>${entries.length}</KeyCount>${entries.join('')}</ListBucketResult>`;
}

export async function startS3Server(bucket = 'files'): Promise<S3Server> {
  const objects = new Map<string, StoredObject>();
  const faults: StoreFault[] = [];
  const seenRequests: string[] = [];

  async function put(request: IncomingMessage, response: ServerResponse, key: string, fault: StoreFault | undefined) {
    const { headers } = request;
    const source = headers['x-amz-copy-source'];
    if (typeof source === 'string') {
      const sourceObject = objects.get(source.replace(`/${bucket}/`, ''));
      if (sourceObject === undefined) throw new Refused(404, 'NoSuchKey');
      if (fault === 'copy-error') return response.end('<Error><Code>InternalError</Code></Error>');
      objects.set(key, { ...sourceObject, at: new Date() });
      return response.end('<CopyObjectResult><ETag>&quot;0&quot;</ETag></CopyObjectResult>');
    }
    if (headers['content-length'] === undefined) throw new Refused(411, 'MissingContentLength');
    const bytes = await bodyOf(request);
    const sum = headers['x-amz-checksum-sha256'];
    if (sum !== undefined && sum !== createHash('sha256').update(bytes).digest('base64'))
      throw new Refused(400, 'BadDigest');
    if (bytes.length !== Number(headers['content-length'])) throw new Refused(400, 'IncompleteBody');
    objects.set(key, { bytes, type: headers['content-type'] ?? '', at: new Date() });
    return response.setHeader('etag', '"0"').end();
  }

  function get(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    key: string,
    fault: StoreFault | undefined,
  ) {
    const storedObject = objects.get(key);
    if (storedObject === undefined) throw new Refused(404, 'NoSuchKey');
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const bytes =
      first === undefined ? storedObject.bytes : storedObject.bytes.subarray(Number(first), Number(last) + 1);
    response.statusCode = first === undefined ? 200 : 206;
    response.setHeader('content-length', bytes.length);
    response.setHeader('last-modified', storedObject.at.toUTCString());
    response.setHeader('content-type', url.searchParams.get('response-content-type') ?? storedObject.type);
    const disposition = url.searchParams.get('response-content-disposition');
    if (disposition !== null) response.setHeader('content-disposition', disposition);
    if (request.method === 'HEAD') return response.end();
    if (fault !== 'broken-body') return response.end(bytes);
    response.write(bytes.subarray(0, 10));
    return setImmediate(() => response.destroy());
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    seenRequests.push(`${request.method} ${url.pathname}`);
    await checkSignature(request, url);
    const fault = faults.shift();
    if (fault === 'slow-down') throw new Refused(503, 'SlowDown');
    if (fault === 'denied') throw new Refused(403, 'AccessDenied');
    if (fault === 'reset') return request.socket.destroy();
    if (fault === 'silence') return undefined;
    const [, bucketName, ...keyParts] = url.pathname.split('/');
    if (bucketName !== bucket) throw new Refused(404, 'NoSuchBucket');
    const key = keyParts.join('/');
    if (request.method === 'PUT') return put(request, response, key, fault);
    if (request.method === 'DELETE') {
      objects.delete(key);
      response.statusCode = 204;
      return response.end();
    }
    if (key === '') return response.setHeader('content-type', 'application/xml').end(listOf(objects, url.searchParams));
    return get(request, response, url, key, fault);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // S3 answers before the body has arrived. The rest is read and ignored.
      request.resume();
      const { status, code } = error instanceof Refused ? error : new Refused(500, 'InternalError');
      if (response.headersSent) return response.destroy();
      response.statusCode = status;
      return response.end(request.method === 'HEAD' ? undefined : `<Error><Code>${code}</Code></Error>`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    faults,
    seen: seenRequests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
