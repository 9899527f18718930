// Stores the files of assets in a bucket of Amazon S3, or of a server with its protocol. The kit signs the requests: the SDK of
// AWS would add 80 packages for six requests, and cannot sign a URL synchronously.

import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { parseUrl } from '../../core/contract/values/parse-url.ts';
import {
  type AssetByteRange,
  type AssetStore,
  AssetStoreError,
  checkKey,
  checkPrefix,
  isAssetStoreError,
  withAbort,
  withExactSize,
} from '../../plugins/assets/port/index.ts';
import { type AwsCredentialsOption, awsCredentials, awsRegion } from '../kit/aws-credentials.ts';
import { type AwsCredentials, presignAwsUrl } from '../kit/aws-signature.ts';
import { bodyOf, createS3Client, listedIn, refusalOf, textOf } from './s3-calls.ts';

/** A key of AWS, or of a server with its protocol. */
export type S3Credentials = AwsCredentials;

/** Options of `s3Assets`. */
export interface S3AssetsOptions {
  readonly bucket: string;
  /** Such as eu-central-1; for other servers usually us-east-1 or auto. (Default: the variable AWS_REGION, which Lambda sets) */
  readonly region?: string;
  /**
   * The key, or a function that returns the current key, for keys that change. The function is called for each request.
   * URLs signed with a changing key expire with it, so the service then serves the files itself; this also applies to
   * the default. (Default: the variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, which Lambda
   * sets)
   */
  readonly credentials?: AwsCredentialsOption;
  /** Another server's URL. (Default: the URL of Amazon S3 in the region) */
  readonly endpoint?: string;
  /** `path` for https://server/bucket/key, `host` for https://bucket.server/key. (Default: host for Amazon S3, else path) */
  readonly addressing?: 'path' | 'host';
  /** The prefix of all object names, such as postrider. (Default: none) */
  readonly prefix?: string;
  /** How long the server may be silent, in milliseconds. (Default: 30,000) */
  readonly timeoutMs?: number;
}

const maxListed = 1_000;

/** The URL of the bucket. @throws TypeError */
function bucketUrlOf({ bucket, endpoint, addressing }: S3AssetsOptions, region: string): string {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new TypeError('s3Assets: `bucket` is not a valid name of a bucket.');
  const endpointUrl = endpoint ?? `https://s3.${region}.amazonaws.com`;
  const url = parseUrl(endpointUrl);
  if (url === undefined) throw new TypeError('s3Assets: `endpoint` is not a URL.');
  const { protocol, host, pathname, search } = url;
  if (!/^https?:$/.test(protocol) || pathname !== '/' || search !== '')
    throw new TypeError('s3Assets: `endpoint` is a URL without a path.');
  const style = addressing ?? (endpoint === undefined ? 'host' : 'path');
  return style === 'host' ? `${protocol}//${bucket}.${host}` : `${protocol}//${host}/${bucket}`;
}

/** Cuts the requested range out of a whole object. */
async function* cutRange(bytes: AsyncIterable<Uint8Array>, { start, end }: AssetByteRange): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of bytes) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    at += chunk.byteLength;
    if (part.byteLength > 0) yield part;
    if (at > end) return;
  }
}

/** Makes the store. Opens no connection before it is used. */
export function s3Assets(options: S3AssetsOptions): AssetStore {
  checkOptions<S3AssetsOptions>('s3Assets', options, {
    bucket: 'required',
    region: 'optional',
    credentials: 'optional',
    endpoint: 'optional',
    addressing: 'optional',
    prefix: 'optional',
    timeoutMs: 'optional',
  });
  const { prefix: folder = '', timeoutMs = 30_000 } = options;
  const region = awsRegion('s3Assets', options.region);
  const bucketUrl = bucketUrlOf(options, region);
  const base = folder === '' ? '' : `${checkKey(folder)}/`;
  const { credentials } = options;
  const client = createS3Client({
    bucketUrl,
    region,
    timeoutMs,
    credentials: awsCredentials('s3Assets', credentials),
  });
  const nameOf = (key: string): string => `${base}${checkKey(key)}`;

  const head: AssetStore['head'] = async (key, { signal } = {}) => {
    try {
      const { headers, body } = await client.send({ method: 'HEAD', key: nameOf(key), signal });
      await body.dump();
      const modifiedAt = Date.parse(String(headers['last-modified']));
      return { key, bytes: Number(headers['content-length']), modifiedAt };
    } catch (error) {
      if (isAssetStoreError(error, 'missing')) return undefined;
      throw error;
    }
  };

  /** A URL with its signature; undefined for keys that expire. */
  const signedUrl = (
    method: 'GET' | 'PUT',
    key: string,
    parts: { query?: Readonly<Record<string, string>>; headers: Readonly<Record<string, string>> },
    { now, expiresAt }: { readonly now: number; readonly expiresAt: number },
  ): string | undefined => {
    if (credentials === undefined || typeof credentials === 'function' || credentials.sessionToken !== undefined)
      return undefined;
    const url = new URL(`${bucketUrl}/${nameOf(key)}`);
    for (const [name, value] of Object.entries(parts.query ?? {})) url.searchParams.set(name, value);
    const seconds = Math.max(1, Math.floor((expiresAt - now) / 1_000));
    const { headers } = parts;
    return presignAwsUrl(
      { method, url: url.href, headers, body: '', region, service: 's3', now },
      credentials,
      seconds,
    );
  };

  return {
    id: 's3',

    async put(key, source, { size, contentType, signal }) {
      const headers = { 'content-type': contentType, 'content-length': String(size) };
      const { body } = await client.send({
        method: 'PUT',
        key: nameOf(key),
        headers,
        body: withExactSize(withAbort(signal, source), size),
        signal,
      });
      await body.dump();
    },

    async get(key, { range, signal } = {}) {
      const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` };
      const { body, statusCode } = await client.send({ method: 'GET', key: nameOf(key), headers, signal });
      const bytes = bodyOf(body, signal);
      // A server may respond to a range with the whole object (RFC 9110, section 14.2), and some servers do for 0-0.
      return range === undefined || statusCode === 206 ? bytes : cutRange(bytes, range);
    },

    head,

    async copy(from, to, { signal } = {}) {
      const source = `/${options.bucket}/${nameOf(from)}`;
      const { body } = await client.send({
        method: 'PUT',
        key: nameOf(to),
        headers: { 'x-amz-copy-source': source },
        signal,
      });
      // A copy that fails after it began also has the status 200, so the body is checked.
      const xml = await textOf(body);
      if (xml.includes('<Error>')) throw refusalOf(500, xml);
    },

    async delete(key, { signal } = {}) {
      try {
        const { body } = await client.send({ method: 'DELETE', key: nameOf(key), signal });
        await body.dump();
      } catch (error) {
        if (!isAssetStoreError(error, 'missing')) throw error;
      }
    },

    async list(prefix, { after, limit = maxListed, signal } = {}) {
      const query = {
        'list-type': '2',
        'max-keys': String(Math.min(limit, maxListed)),
        prefix: `${base}${checkPrefix(prefix)}`,
        ...(after === undefined || after === '' ? {} : { 'start-after': `${base}${after}` }),
      };
      const { body } = await client.send({ method: 'GET', key: '', query, signal });
      const xml = await textOf(body, 4 * 1_048_576);
      if (!xml.includes('</ListBucketResult>'))
        throw new AssetStoreError('transient', 'S3 returned an incomplete list.');
      return listedIn(xml).map(({ key, ...object }) => ({ key: key.slice(base.length), ...object }));
    },

    signedRead: (key, { contentType, contentDisposition, ...times }) =>
      signedUrl(
        'GET',
        key,
        {
          query: { 'response-content-type': contentType, 'response-content-disposition': contentDisposition },
          headers: {},
        },
        times,
      ),

    signedUpload(key, { contentType, bytes, sha256, ...times }) {
      const checksum =
        sha256 === undefined ? {} : { 'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64') };
      const headers = { 'content-type': contentType, ...checksum };
      // The length is also signed; an HTTP client sends it automatically.
      const url = signedUrl('PUT', key, { headers: { ...headers, 'content-length': String(bytes) } }, times);
      return url === undefined ? undefined : { url, headers: { 'Content-Type': contentType, ...checksum } };
    },

    close: () => client.close(),
  };
}
