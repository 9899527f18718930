// Translates the event of a gateway, a function URL or a load balancer into a request of the service. Called by http.ts.
import type { HttpRequest } from '../../core/index.ts';
import { clientAddress, forwardedHost, plainAddress } from '../node/address.ts';
import { isWellKnown } from '../node/well-known.ts';
import type { BalancerEvent, GatewayEventV1, GatewayEventV2, HttpLambdaEvent } from './events.ts';

/** The location of the service behind its gateway. */
export interface LambdaMount {
  /** The mount path of the service, such as /messaging; empty at the root. */
  readonly basePath: string;
  /** The number of proxies in front of the gateway that write X-Forwarded-For and X-Forwarded-Host; true trusts every proxy. */
  readonly trustProxy: boolean | number;
}

type Headers = Record<string, string | undefined>;

/** Joins repeated headers into one, as RFC 9110, section 5.3, allows; cookies by semicolons. */
function joinHeaders(headers: Readonly<Record<string, readonly string[] | null | undefined>>): Headers {
  const entries = Object.entries(headers).map(([name, values]): [string, string | undefined] => {
    const lower = name.toLowerCase();
    return [lower, values?.join(lower === 'cookie' ? '; ' : ', ')];
  });
  return Object.fromEntries(entries);
}

const lowerCaseNames = (headers: Readonly<Record<string, string | null | undefined>>): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value ?? undefined]));

const isFilled = (value: object | null | undefined): value is object =>
  value !== null && value !== undefined && Object.keys(value).length > 0;

function headersOf({ headers, multiValueHeaders }: GatewayEventV1 | BalancerEvent): Headers {
  return isFilled(multiValueHeaders) ? joinHeaders(multiValueHeaders) : lowerCaseNames(headers ?? {});
}

/** A load balancer passes names and values as they were sent; a gateway decodes them. */
function queryOf(event: GatewayEventV1 | BalancerEvent, encode: (text: string) => string): string {
  const lists = isFilled(event.multiValueQueryStringParameters)
    ? event.multiValueQueryStringParameters
    : event.queryStringParameters;
  const pairs = Object.entries(lists ?? {}).flatMap(([name, values]) =>
    [values ?? ''].flat().map((value) => `${encode(name)}=${encode(value)}`),
  );
  return pairs.join('&');
}

/** Some gateways decode the path. Characters that no URL can contain are encoded again. */
const encodedPath = (path: string): string =>
  path.replace(/[^!$%&'()*+,\-./:;=@_~0-9A-Za-z]+/gu, (text) =>
    encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')),
  );

/** The path below `/name`; unchanged if it does not begin with it. */
function withoutSegment(path: string, name: string): string {
  if (path === `/${name}`) return '/';
  return path.startsWith(`/${name}/`) ? path.slice(name.length + 1) : path;
}

/** The path below the base; undefined outside of it. */
function pathBelow(path: string, base: string): string | undefined {
  if (base === '') return path;
  if (path === base) return '/';
  // Clients of the MCP endpoint look at the root of the origin, too.
  if (isWellKnown(path)) return path;
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined;
}

const bodyOf = ({ body, isBase64Encoded }: Pick<BalancerEvent, 'body' | 'isBase64Encoded'>): HttpRequest['body'] => {
  if (body === null || body === undefined || body === '') return undefined;
  return isBase64Encoded ? Buffer.from(body, 'base64') : body;
};

interface Parts {
  readonly method: string;
  /** Includes the stage and the base path. */
  readonly path: string;
  readonly query: string;
  readonly headers: Headers;
  readonly body: HttpRequest['body'];
  readonly sourceIp: string | undefined;
  readonly domainName: string | undefined;
}

function partsOfV2(event: GatewayEventV2): Parts {
  const { rawPath, rawQueryString, cookies, requestContext } = event;
  const { stage, domainName, http } = requestContext;
  const headers = lowerCaseNames(event.headers ?? {});
  if (isFilled(cookies)) headers['cookie'] = cookies.join('; ');
  return {
    method: http.method,
    path: stage && stage !== '$default' ? withoutSegment(rawPath, stage) : rawPath,
    query: rawQueryString ?? '',
    headers,
    body: bodyOf({ body: event.body ?? null, isBase64Encoded: event.isBase64Encoded }),
    sourceIp: http.sourceIp ?? undefined,
    domainName: domainName ?? undefined,
  };
}

function partsOfV1(event: GatewayEventV1): Parts {
  const { version, path, httpMethod, requestContext } = event;
  const { stage, domainName, identity } = requestContext;
  return {
    method: httpMethod,
    // The path of a REST API does not contain the stage; the path of an HTTP API does.
    path: version === undefined || stage === '$default' ? path : withoutSegment(path, stage),
    query: queryOf(event, encodeURIComponent),
    headers: headersOf(event),
    body: bodyOf(event),
    sourceIp: identity.sourceIp,
    domainName,
  };
}

const partsOfBalancer = (event: BalancerEvent): Parts => ({
  method: event.httpMethod,
  path: event.path,
  query: queryOf(event, (text) => text),
  headers: headersOf(event),
  body: bodyOf(event),
  sourceIp: undefined,
  domainName: undefined,
});

function partsOf(event: HttpLambdaEvent): Parts {
  if (event.kind === 'gateway 2') return partsOfV2(event.event);
  return event.kind === 'gateway 1' ? partsOfV1(event.event) : partsOfBalancer(event.event);
}

/**
 * The client's address. Gateways and load balancers append it to X-Forwarded-For themselves, so their value is the last. Each
 * trusted proxy before them adds another value.
 */
function addressOf({ headers, sourceIp }: Parts, trustProxy: boolean | number): string | undefined {
  if (trustProxy === false && sourceIp !== undefined) return plainAddress(sourceIp);
  const trusted = trustProxy === true ? true : Number(trustProxy) + 1;
  return clientAddress({ headers, socket: { remoteAddress: sourceIp } }, trusted);
}

/** A request of the service, and whether its path is outside of the base path. */
export interface TranslatedRequest {
  readonly request: HttpRequest;
  readonly outside: boolean;
}

/** Translates an event. */
export function requestOf(event: HttpLambdaEvent, mount: LambdaMount, signal: AbortSignal): TranslatedRequest {
  const parts = partsOf(event);
  const { method, query, headers, body, domainName } = parts;
  const path = encodedPath(parts.path === '' ? '/' : parts.path);
  const pathBelowMount = pathBelow(path, mount.basePath);
  const address = addressOf(parts, mount.trustProxy);
  const host = forwardedHost({ headers }, mount.trustProxy);
  if (headers['host'] === undefined && domainName !== undefined) headers['host'] = domainName;
  const request: HttpRequest = {
    method,
    url: `${pathBelowMount ?? path}${query === '' ? '' : `?${query}`}`,
    headers,
    body,
    signal,
    ...(address === undefined ? {} : { address }),
    ...(host === undefined ? {} : { host }),
  };
  return { request, outside: pathBelowMount === undefined };
}
