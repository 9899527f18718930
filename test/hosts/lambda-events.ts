// Events as AWS makes them, in every format, and the answer that a client sees from a function's result. The shapes come from AWS's
// documentation and @types/aws-lambda; the values are our own. Used by the tests of the Lambda host.
import type {
  ALBEvent,
  ALBResult,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
} from 'aws-lambda';
import { bodyText, type HostResponse } from './host-clients.ts';
import type { TableRequest } from './requests.ts';

/** The parts of an event. */
export interface EventParts {
  readonly method: string;
  /** Including the mount point; the query comes from it. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The stage of the gateway. (Default: $default) */
  readonly stage?: string;
  /** The client's address. */
  readonly sourceIp?: string;
  /** True to pass the body in base64, as gateways do with bytes that may not be text. */
  readonly base64?: boolean;
}

const ownDomain = 'a1b2c3.execute-api.eu-west-1.amazonaws.com';
const time = { text: '23/Nov/2026:10:11:12 +0000', epoch: 1_795_428_672_000 };
const requestId = '6f1c53a2-0c9e-4a43-9d3f-5c1e7a2b9d10';

const split = (path: string): readonly [string, string] => {
  const mark = path.indexOf('?');
  return mark === -1 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)];
};

const bodyOf = ({ body, base64 }: EventParts) => ({
  body: body === undefined ? null : base64 === true ? Buffer.from(body).toString('base64') : body,
  isBase64Encoded: body !== undefined && base64 === true,
});

/** `ada-lovelace` → `Ada-Lovelace`: REST APIs and clients keep the case of names. */
const title = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

const listsOf = (entries: Iterable<readonly [string, string]>): Record<string, string[]> => {
  const lists: Record<string, string[]> = {};
  for (const [name, value] of entries) lists[name] = [...(lists[name] ?? []), value];
  return lists;
};

const lastOf = (lists: Readonly<Record<string, readonly string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, values.at(-1) ?? '']));

/** A REST API's event: format 1.0, decoded names and values of the query, the path without its stage. */
export function restEvent(parts: EventParts): APIGatewayProxyEvent {
  const { method, headers, stage = 'prod', sourceIp = '203.0.113.9' } = parts;
  const [path, search] = split(parts.path);
  const defaults = { Host: ownDomain, 'X-Forwarded-For': sourceIp, 'X-Forwarded-Proto': 'https' };
  const headerPairs = Object.entries({
    ...defaults,
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [title(name), value])),
  });
  const query = listsOf(new URLSearchParams(search));
  return {
    resource: '/{proxy+}',
    path,
    httpMethod: method,
    headers: Object.fromEntries(headerPairs),
    multiValueHeaders: listsOf(headerPairs),
    queryStringParameters: search === '' ? null : lastOf(query),
    multiValueQueryStringParameters: search === '' ? null : query,
    pathParameters: { proxy: path.slice(1) },
    stageVariables: null,
    ...bodyOf(parts),
    requestContext: {
      accountId: '123456789012',
      apiId: 'a1b2c3',
      authorizer: null,
      domainName: ownDomain,
      domainPrefix: 'a1b2c3',
      extendedRequestId: 'Qx7yYFbmjoEEJ1A=',
      httpMethod: method,
      identity: {
        accessKey: null,
        accountId: null,
        apiKey: null,
        apiKeyId: null,
        caller: null,
        clientCert: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp,
        user: null,
        userAgent: 'client/1.0',
        userArn: null,
      },
      path: `/${stage}${path}`,
      protocol: 'HTTP/1.1',
      requestId,
      requestTime: time.text,
      requestTimeEpoch: time.epoch,
      resourceId: 'x1y2z3',
      resourcePath: '/{proxy+}',
      stage,
    },
  };
}

/** An event of an HTTP API or a function URL: format 2.0, lower-case names, separate cookies, the stage in the path. */
export function httpEvent(parts: EventParts): APIGatewayProxyEventV2 {
  const { method, headers, stage = '$default', sourceIp = '203.0.113.9' } = parts;
  const [below, rawQueryString] = split(parts.path);
  const rawPath = stage === '$default' ? below : `/${stage}${below}`;
  const { cookie, ...rest } = headers;
  const { body, isBase64Encoded } = bodyOf(parts);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    ...(cookie === undefined ? {} : { cookies: cookie.split('; ') }),
    headers: { host: ownDomain, 'x-forwarded-for': sourceIp, 'x-forwarded-proto': 'https', ...rest },
    ...(rawQueryString === ''
      ? {}
      : {
          queryStringParameters: Object.fromEntries(
            Object.entries(listsOf(new URLSearchParams(rawQueryString))).map(([name, values]) => [
              name,
              values.join(','),
            ]),
          ),
        }),
    ...(body === null ? {} : { body }),
    isBase64Encoded,
    requestContext: {
      accountId: '123456789012',
      apiId: 'a1b2c3',
      domainName: ownDomain,
      domainPrefix: 'a1b2c3',
      http: { method, path: rawPath, protocol: 'HTTP/1.1', sourceIp, userAgent: 'client/1.0' },
      requestId,
      routeKey: '$default',
      stage,
      time: time.text,
      timeEpoch: time.epoch,
    },
  };
}

/** A load balancer's event: the query as sent. With `lists`, headers and query are in lists. */
export function balancerEvent(parts: EventParts, lists: boolean): ALBEvent {
  const { method, headers, sourceIp = '203.0.113.9' } = parts;
  const [path, search] = split(parts.path);
  const pairs =
    search === ''
      ? []
      : search.split('&').map((pair): [string, string] => {
          const [name = '', ...value] = pair.split('=');
          return [name, value.join('=')];
        });
  const forwardedFor =
    headers['x-forwarded-for'] === undefined ? sourceIp : `${headers['x-forwarded-for']}, ${sourceIp}`;
  const headerPairs = Object.entries({
    host: 'lb-1.eu-west-1.elb.amazonaws.com',
    ...headers,
    'x-forwarded-for': forwardedFor,
  });
  const query = listsOf(pairs);
  return {
    requestContext: {
      elb: {
        targetGroupArn: 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/postrider/0a1b2c3d4e5f6071',
      },
    },
    httpMethod: method,
    path,
    ...(lists
      ? { multiValueHeaders: listsOf(headerPairs), multiValueQueryStringParameters: query }
      : { headers: Object.fromEntries(headerPairs), queryStringParameters: lastOf(query) }),
    ...bodyOf(parts),
    // A load balancer sends an empty string if there is no body.
    body: bodyOf(parts).body ?? '',
  };
}

type Result = ALBResult & APIGatewayProxyStructuredResultV2;

/** The client's view of a result, in the fields that the format may have. */
export function clientView(result: unknown): HostResponse {
  const {
    statusCode = 0,
    headers = {},
    multiValueHeaders = {},
    cookies = [],
    body = '',
    isBase64Encoded,
  } = result as Result;
  const lists = Object.entries(multiValueHeaders).map(([name, values]): [string, string] => [name, values.join(', ')]);
  const headerPairs = [
    ...Object.entries(headers),
    ...lists,
    ...cookies.map((cookie): [string, string] => ['set-cookie', cookie]),
  ];
  const headersByName = Object.fromEntries(headerPairs.map(([name, value]) => [name.toLowerCase(), String(value)]));
  const bytes = Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8');
  return { status: statusCode, headers: headersByName, body: bodyText(bytes, headersByName['content-encoding']) };
}

/** A request of the table as the parts of an event, below a mount point. Clients on the network send a length. */
export const partsOf = ({ method, path, headers, body, chunked }: TableRequest, mount: string): EventParts => ({
  method,
  path: `${mount}${path}`,
  headers:
    body === undefined || chunked === true
      ? headers
      : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  body,
});
