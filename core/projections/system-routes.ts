// Routes that are not operations of a plugin: the MCP endpoint, the OpenAPI and the AsyncAPI document.
// openapi-system.ts describes them.
import { coreErrors } from '../contract/errors/core-errors.ts';
import type { HttpRequest, HttpResponse } from '../contract/http/http.ts';
import { type StaticFile, staticFile, staticResponse } from '../pages/static-response.ts';
import { admit } from '../pipeline/admit.ts';
import type { Core } from '../pipeline/core.ts';
import { healthPath, metricsPath, readinessPath } from './observation-routes.ts';
import type { RawRoute } from './routing.ts';

/** The part of the MCP endpoint that this file needs. */
interface ToolEndpoint {
  handle(request: HttpRequest, requestId: string): Promise<HttpResponse>;
}

/** The documents that the service generates. */
interface Documents {
  openapi(): Record<string, unknown>;
  asyncapi(): Record<string, unknown>;
}

const toolPath = '/v1/mcp';
const documentPaths = { openapi: '/v1/openapi.json', asyncapi: '/v1/asyncapi.json' } as const;

/** The routes of every service: no plugin may declare any of them. */
export const systemRoutes = [
  ...['POST', 'GET', 'DELETE'].map((method) => `${method} ${toolPath}`),
  ...Object.values(documentPaths).map((path) => `GET ${path}`),
  ...[healthPath, readinessPath, metricsPath].map((path) => `GET ${path}`),
];

/**
 * Serves a document, which is made at the first request: for any valid key, or publicly if the settings allow it. It is compressed
 * for clients that accept compression, because the uncompressed document is too large for a function behind a load balancer.
 */
function documentRoute(core: Core, path: string, make: () => Record<string, unknown>): RawRoute {
  let document: StaticFile | undefined;
  const noQuery = new URLSearchParams();
  return {
    method: 'GET',
    path,
    async handle(request, requestId) {
      const { headers } = core.settings.publicOpenapi ? { headers: {} } : await admit(core, { request, kind: 'api' });
      document ??= staticFile(JSON.stringify(make()), 'application/json; charset=utf-8');
      const caching = core.settings.publicOpenapi ? 'no-cache' : 'private, no-cache';
      return staticResponse({ headers: request.headers, query: noQuery }, document, {
        'Cache-Control': caching,
        'X-Request-Id': requestId,
        ...headers,
      });
    },
  };
}

/** The raw routes of every service. */
export function createSystemRoutes(core: Core, documents: Documents, tools: ToolEndpoint): RawRoute[] {
  const refuse = async (request: HttpRequest): Promise<HttpResponse> => {
    throw coreErrors.method_not_allowed({ method: request.method, allowed: ['POST'] }, { headers: { Allow: 'POST' } });
  };
  return [
    { method: 'POST', path: toolPath, handle: (request, requestId) => tools.handle(request, requestId) },
    { method: 'GET', path: toolPath, handle: refuse },
    { method: 'DELETE', path: toolPath, handle: refuse },
    documentRoute(core, documentPaths.openapi, documents.openapi),
    documentRoute(core, documentPaths.asyncapi, documents.asyncapi),
  ];
}
