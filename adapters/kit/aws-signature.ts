// AWS Signature Version 4 of a request (docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html). Pure; called by the
// adapters of SES, S3 and SQS. It signs every given header and does not encode the path: paths are ASCII without escapes.
import { createHash, createHmac } from 'node:crypto';

/** A key of AWS. Temporary keys have a `sessionToken`. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The request, and its target. */
export interface AwsRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The value that is signed in place of the body's hash: UNSIGNED-PAYLOAD if the body is a stream. (Default: the hash) */
  readonly bodyHash?: string;
  /** Such as eu-west-1. */
  readonly region: string;
  /** Such as ses. */
  readonly service: string;
  /** The current time, in milliseconds since the epoch. */
  readonly now: number;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** Pairs in the order of their code points, as AWS sorts them. */
const sortedPairs = (pairs: readonly (readonly [string, string])[]): (readonly [string, string])[] =>
  [...pairs].sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1));

const timeOf = ({ now }: AwsRequest): string => new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');

const scopeOf = ({ region, service }: AwsRequest, time: string): string =>
  `${time.slice(0, 8)}/${region}/${service}/aws4_request`;

const signable = (headers: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
  sortedPairs(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')]));

const namesOf = (headers: readonly (readonly [string, string])[]): string => headers.map(([name]) => name).join(';');

const queryText = (searchParams: URLSearchParams): string =>
  sortedPairs([...searchParams].map(([name, value]) => [encode(name), encode(value)]))
    .map((pair) => pair.join('='))
    .join('&');

/** The signature over a request whose headers and query are complete. */
function signatureOf(
  request: AwsRequest,
  { secretAccessKey }: AwsCredentials,
  { url, headers, time }: { url: URL; headers: readonly (readonly [string, string])[]; time: string },
): string {
  const canonical = [
    request.method.toUpperCase(),
    url.pathname,
    queryText(url.searchParams),
    ...headers.map((pair) => pair.join(':')),
    '',
    namesOf(headers),
    request.bodyHash ?? hash(request.body),
  ].join('\n');
  const scope = scopeOf(request, time);
  const key = scope.split('/').reduce<string | Buffer>(mac, `AWS4${secretAccessKey}`);
  return mac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash(canonical)}`).toString('hex');
}

/**
 * The headers of the signed request: the request's own headers, the time, the token, and `authorization`. The client
 * sets `host`.
 */
export function signAwsRequest(request: AwsRequest, credentials: AwsCredentials): Record<string, string> {
  const url = new URL(request.url);
  const time = timeOf(request);
  const token = credentials.sessionToken;
  const addedHeaders = { 'x-amz-date': time, ...(token === undefined ? {} : { 'x-amz-security-token': token }) };
  const headers = signable({ ...request.headers, host: url.host, ...addedHeaders });
  const signature = signatureOf(request, credentials, { url, headers, time });
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scopeOf(request, time)}, SignedHeaders=${namesOf(headers)}, Signature=${signature}`;
  return { ...request.headers, ...addedHeaders, authorization };
}

/**
 * The URL of a request with its signature in the query. Every client with the URL can make this request for `seconds`, at most
 * 604,800. The request must have the headers given here; its body is not signed.
 */
export function presignAwsUrl(request: AwsRequest, credentials: AwsCredentials, seconds: number): string {
  const url = new URL(request.url);
  const time = timeOf(request);
  const headers = signable({ ...request.headers, host: url.host });
  const token = credentials.sessionToken;
  const addedParameters: Readonly<Record<string, string>> = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${credentials.accessKeyId}/${scopeOf(request, time)}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(seconds),
    ...(token === undefined ? {} : { 'X-Amz-Security-Token': token }),
    'X-Amz-SignedHeaders': namesOf(headers),
  };
  for (const [name, value] of Object.entries(addedParameters)) url.searchParams.set(name, value);
  const unsigned: AwsRequest = { ...request, bodyHash: 'UNSIGNED-PAYLOAD' };
  const signature = signatureOf(unsigned, credentials, { url, headers, time });
  return `${url.origin}${url.pathname}?${queryText(url.searchParams)}&X-Amz-Signature=${signature}`;
}
