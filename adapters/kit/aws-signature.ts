// AWS Signature Version 4 of a request (docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html). Pure; called by the
// SES mail adapter. It signs every header that it is given, and encodes no path: paths are ASCII without escapes.
import { createHash, createHmac } from 'node:crypto';

/** A key of AWS; `sessionToken` belongs to temporary ones. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The request, and where it goes. */
export interface AwsRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Such as eu-west-1. */
  readonly region: string;
  /** Such as ses. */
  readonly service: string;
  /** The present time, in milliseconds since the epoch. */
  readonly now: number;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** Pairs in the order of their code points, as AWS sorts them. */
const sorted = (pairs: readonly (readonly [string, string])[]): (readonly [string, string])[] =>
  [...pairs].sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1));

/** The headers of the signed request: those given, the time, the token, and `authorization`. `host` is left to the client. */
export function signAwsRequest(request: AwsRequest, credentials: AwsCredentials): Record<string, string> {
  const { host, pathname, searchParams } = new URL(request.url);
  const time = new Date(request.now).toISOString().replace(/[-:]|\.\d+/g, '');
  const token = credentials.sessionToken;
  const added = { 'x-amz-date': time, ...(token === undefined ? {} : { 'x-amz-security-token': token }) };
  const signed = sorted(
    Object.entries({ ...request.headers, host, ...added }).map(([name, value]) => [
      name.toLowerCase(),
      value.trim().replace(/ +/g, ' '),
    ]),
  );
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    request.method.toUpperCase(),
    pathname,
    sorted([...searchParams].map(([name, value]) => [encode(name), encode(value)]))
      .map((pair) => pair.join('='))
      .join('&'),
    ...signed.map((pair) => pair.join(':')),
    '',
    names,
    hash(request.body),
  ].join('\n');
  const scope = `${time.slice(0, 8)}/${request.region}/${request.service}/aws4_request`;
  const key = scope.split('/').reduce<string | Buffer>(mac, `AWS4${credentials.secretAccessKey}`);
  const signature = mac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash(canonical)}`).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...request.headers, ...added, authorization };
}
