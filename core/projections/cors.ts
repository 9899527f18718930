// CORS (https://fetch.spec.whatwg.org/#http-cors-protocol): pages of the configured origins may read the API from a browser.
// Called by rest.ts. Allows GET and HEAD below /v1 and nothing else: writing needs a key that a browser cannot keep secret.

import type { HttpRequest, HttpResponse } from '../contract/http/http.ts';
import { parseUrl } from '../contract/values/parse-url.ts';

/** Origins of web pages that may read the API. */
export interface CorsOptions {
  /** Such as https://app.example.com: scheme, host and port, without a path. No wildcard. */
  readonly origins: readonly string[];
}

/** Adds CORS headers to the answers of the API. */
export interface Cors {
  /**
   * The answer to a preflight request; undefined for any other request. `hasGetRoute`: whether the API has a GET route
   * at this path.
   */
  preflight(request: HttpRequest, path: string, hasGetRoute: () => boolean): HttpResponse | undefined;
  /** The response with the headers that let the page read it. */
  withCorsHeaders(request: HttpRequest, response: HttpResponse): HttpResponse;
}

const allowedMethods = 'GET, HEAD';
const allowedHeaders = 'authorization, accept, accept-language, if-none-match, traceparent, x-request-id';
const exposedHeaders =
  'ETag, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Scope, Deprecation, Sunset, Link';
/** Browsers reuse the answer to a preflight request for this many seconds. */
const maxAge = '600';

/** Whether a text is an origin as browsers send it: `https://app.example.com`, without a path or a slash at its end. */
export const isOrigin = (text: unknown): boolean =>
  typeof text === 'string' && /^https?:/.test(text) && parseUrl(text)?.origin === text;

/** Whether a request reads the API. The MCP endpoint is not included, because it has its own origins: settings.toolOrigins. */
const isReadRequest = ({ method, url }: HttpRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /^\/v1\/(?!mcp(?:[/?]|$))/.test(url);

/** Makes the CORS answers for these origins. Undefined if the program configures none: then answers have no CORS header. */
export function createCors(origins: readonly string[]): Cors | undefined {
  if (origins.length === 0) return undefined;
  const allowed = new Set(origins);
  const originOf = ({ headers: { origin } }: HttpRequest): string | undefined =>
    origin !== undefined && allowed.has(origin) ? origin : undefined;

  return {
    preflight(request, path, hasGetRoute) {
      const origin = originOf(request);
      const requestedMethod = request.headers['access-control-request-method'];
      if (request.method !== 'OPTIONS' || requestedMethod === undefined || !path.startsWith('/v1/')) return undefined;
      if (origin === undefined || !hasGetRoute()) return undefined;
      const headers = {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': allowedMethods,
        'Access-Control-Allow-Headers': allowedHeaders,
        'Access-Control-Max-Age': maxAge,
        Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      };
      return { status: 204, headers, body: '' };
    },

    withCorsHeaders(request, response) {
      if (!isReadRequest(request) || response.headers['Access-Control-Allow-Origin'] !== undefined) return response;
      const origin = originOf(request);
      const { Vary: vary } = response.headers;
      // Caches on the way must not serve one origin's answer to another origin.
      const headers = { ...response.headers, Vary: vary === undefined ? 'Origin' : `${vary}, Origin` };
      if (origin === undefined) return { ...response, headers };
      return {
        ...response,
        headers: { ...headers, 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders },
      };
    },
  };
}
