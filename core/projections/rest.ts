// The REST interface: makes routes from the operations, takes one request and returns one response. Calls no handler directly.
// Called by service.dispatch; hosts translate to and from its plain objects.

import type { Operation } from '../contract/declaration/operation.ts';
import { coreErrors } from '../contract/errors/core-errors.ts';
import { type HttpRequest, type HttpResponse, isStream } from '../contract/http/http.ts';
import { admit } from '../pipeline/admit.ts';
import type { Core } from '../pipeline/core.ts';
import { execute } from '../pipeline/execute.ts';
import { logFailure, refuse } from '../pipeline/refusals.ts';
import { type Measure, noMeasure } from '../telemetry/index.ts';
import { readJsonBody } from './body.ts';
import { createCors } from './cors.ts';
import { readDryRun } from './dry-run.ts';
import { errorEnvelope, toRefusal } from './envelope.ts';
import { createNearestRoute } from './nearest-route.ts';
import { openStream } from './outgoing-stream.ts';
import { refusalAppearance } from './refusal-appearance.ts';
import { isPageRefusal, refusalPage } from './refusal-page.ts';
import { jsonContentType, operationHeaders, readConditions, successResponse } from './rest-response.ts';
import { createRouting, type RawRoute } from './routing.ts';
import { createWellKnown } from './well-known.ts';

/** Metrics record other methods as `_OTHER`, because a caller must not be able to create labels. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const requestIdPattern = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;

/** A refusal as a response. */
export function refusalResponse(error: unknown, requestId: string): HttpResponse {
  const refusal = toRefusal(error, requestId);
  return {
    status: refusal.status,
    headers: { 'Content-Type': jsonContentType, 'X-Request-Id': requestId, ...refusal.headers },
    body: JSON.stringify(errorEnvelope(refusal, requestId)),
    ...(refusal.code === 'route_not_found' ? { unknownRoute: true } : {}),
  };
}

function parseQuery(search: string): Record<string, string | string[]> {
  if (search === '') return {};
  const query = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const previousValue = query.get(name);
    if (Array.isArray(previousValue)) previousValue.push(value);
    else query.set(name, previousValue === undefined ? value : [previousValue, value]);
  }
  // fromEntries defines properties: a name such as __proto__ stays a plain, refused field.
  return Object.fromEntries(query);
}

async function answer(
  core: Core,
  operation: Operation,
  params: Record<string, string>,
  search: string,
  request: HttpRequest,
  requestId: string,
): Promise<HttpResponse> {
  const { headers } = request;
  let limits: Readonly<Record<string, string>> = {};
  try {
    const admission = await admit(core, { request, kind: 'api' });
    limits = admission.headers;
    const result = await execute(core, {
      operation,
      admission,
      requestId,
      input: async () => ({
        params,
        query: parseQuery(search),
        body:
          request.method === 'GET' || request.method === 'HEAD'
            ? undefined
            : await readJsonBody(request, core.settings.maxBodyBytes, operation.accepts),
      }),
      idempotencyKey: headers['idempotency-key'],
      dryRun: readDryRun(headers['dry-run']),
      programTransaction: undefined,
      signal: request.signal,
      ...readConditions(operation, request),
    });
    return successResponse(operation, request, result, { 'X-Request-Id': requestId, ...limits });
  } catch (error) {
    const response = refusalResponse(refuse(core, { requestId, operation: operation.id }, error), requestId);
    return { ...response, headers: { ...limits, ...operationHeaders(operation), ...response.headers } };
  }
}

/** Routes requests to operations. Never throws: every failure becomes a response. */
export function createRestDispatch(
  core: Core,
  raw: readonly RawRoute[],
): (request: HttpRequest) => Promise<HttpResponse> {
  const routing = createRouting(core.registry.operations.values(), raw);
  const nearestRoute = createNearestRoute(core.registry.operations.values());
  const cors = createCors(core.settings.corsOrigins);
  const toPathBelowMount = createWellKnown(core.ports.service.publicUrl);

  const refuseRoute = (request: HttpRequest, path: string): Error => {
    const allowed = routing.methods(request, path);
    const isKnown = allowed.includes(request.method === 'HEAD' ? 'GET' : request.method);
    // The method exists at this path, but every route returned undefined: the status is 404, not 405.
    if (allowed.length === 0 || isKnown) {
      const nearest = isKnown ? undefined : nearestRoute(request.method, path, false);
      return coreErrors.route_not_found({ path: path.slice(0, 200), nearest });
    }
    const details = {
      method: request.method.slice(0, 20),
      allowed,
      nearest: nearestRoute(request.method, path, true),
    };
    return coreErrors.method_not_allowed(details, { headers: { Allow: allowed.join(', ') } });
  };

  const startPages = new Set(raw.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
  /** The start path of the pages around an unknown path, on the requested host. */
  const startOf = (request: HttpRequest): string | undefined => {
    const [start = ''] = /^\/[^/?]+(?=\/)/.exec(request.url) ?? [];
    return startPages.has(start) && routing.methods(request, start).includes('GET') ? start : undefined;
  };

  /**
   * Whether a GET of this path reads from the API: runs an operation or returns a document. Not the MCP endpoint, because it decides
   * itself which pages may call it.
   */
  const isRead = (request: HttpRequest, path: string): boolean =>
    routing
      .find({ ...request, method: 'GET' }, path)
      .some(({ target }) => 'operation' in target || target.raw.path.endsWith('.json'));

  /** `onRoute` is called with the route that answers, in its declared form. */
  const respond = async (
    request: HttpRequest,
    requestId: string,
    measure: Measure,
    onRoute: (route: string) => void,
  ): Promise<HttpResponse> => {
    const queryStart = request.url.indexOf('?');
    const path = toPathBelowMount(queryStart === -1 ? request.url : request.url.slice(0, queryStart));
    const search = queryStart === -1 ? '' : request.url.slice(queryStart + 1);
    for (const { target, params } of routing.find(request, path)) {
      const route = 'operation' in target ? target.operation.path : target.raw.path;
      measure.label({ 'http.route': route });
      measure.rename(`${request.method} ${route}`);
      onRoute(route);
      if ('operation' in target) return answer(core, target.operation, params, search, request, requestId);
      const response = await target.raw.handle(request, requestId, params);
      if (response === undefined) continue;
      return isStream(response.body) ? openStream(request, response, requestId, core.log) : response;
    }
    const preflight = cors?.preflight(request, path, () => isRead(request, path));
    if (preflight !== undefined) return preflight;
    throw refuseRoute(request, path);
  };

  const answerOrRefuse = async (
    request: HttpRequest,
    requestId: string,
    measure: Measure,
    onRoute: (route: string) => void,
  ): Promise<HttpResponse> => {
    try {
      return await respond(request, requestId, measure, onRoute);
    } catch (error) {
      const refusal = toRefusal(error, requestId);
      if (refusal.status >= 500) logFailure(core, refusal, requestId);
      // While the database is down, the appearance cannot be read.
      const hasAppearance = isPageRefusal(request, refusal) && refusal.status !== 503;
      const appearance = hasAppearance ? await refusalAppearance(core, request) : undefined;
      const view = { appearance, start: startOf(request) };
      return refusalPage(request, refusal, requestId, view) ?? refusalResponse(refusal, requestId);
    }
  };

  const dispatch = async (request: HttpRequest, requestId: string, measure: Measure): Promise<HttpResponse> => {
    let route = '';
    const started = core.ports.now();
    const response = await answerOrRefuse(request, requestId, measure, (matched) => {
      route = matched;
    });
    const answeredAt = core.ports.now();
    core.requestLog?.answered(request, {
      ts: answeredAt,
      requestId,
      method: methods.has(request.method) ? request.method : '_OTHER',
      route,
      status: response.status,
      // Not below zero, if the clock was set back meanwhile.
      ms: Math.max(0, answeredAt - started),
    });
    return cors === undefined ? response : cors.withCorsHeaders(request, response);
  };

  return async (request) => {
    const requestedId = request.headers['x-request-id'];
    const requestId =
      requestedId !== undefined && requestIdPattern.test(requestedId) ? requestedId : core.ports.ids.create('req');
    const loading = core.telemetry.load();
    if (loading !== undefined) await loading;
    if (!core.telemetry.isOn()) return dispatch(request, requestId, noMeasure);
    const method = methods.has(request.method) ? request.method : '_OTHER';
    const measured = {
      name: method,
      kind: 'SERVER',
      instrument: 'requests',
      labels: { 'http.request.method': method },
      ids: { 'postrider.request.id': requestId },
      parent: request.headers['traceparent'],
    } as const;
    return core.telemetry.measure(measured, async (measure) => {
      const response = await dispatch(request, requestId, measure);
      measure.label({ 'http.response.status_code': response.status });
      if (response.status >= 500) measure.fail(String(response.status));
      return response;
    });
  };
}
