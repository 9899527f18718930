// Handles one HTTP event: translates it, dispatches it, and translates the response. Never throws: a fault becomes a response in
// the service's format. Called by index.ts and streaming.ts.
import { coreErrors, type HttpResponse, type Service } from '../../core/index.ts';
import { unknownRoutePage } from '../../core/unstable.ts';
import { hostRefusal } from '../node/response.ts';
import type { HttpLambdaEvent } from './events.ts';
import { type LambdaMount, requestOf } from './request.ts';
import { type LambdaHttpResult, ResultTooLarge, resultOf } from './result.ts';

type DispatchingService = Pick<Service, 'dispatch' | 'core'>;

/** The service's response to an event, and the method of the request. */
export interface DispatchedResponse {
  readonly method: string;
  readonly response: HttpResponse;
}

/** Logs a fault of the host, and returns its response. */
function faultAnswer({ core }: DispatchingService, cause: unknown): HttpResponse {
  const requestId = core.ports.ids.create('req');
  if (cause instanceof ResultTooLarge) {
    const error = coreErrors.answer_too_large({ limit: cause.limit });
    core.log.warn({ request_id: requestId, limit: cause.limit }, error.message);
    return hostRefusal(error, requestId);
  }
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  core.log.error({ request_id: requestId, cause: text }, 'the Lambda host failed');
  return hostRefusal(coreErrors.internal_error(), requestId);
}

// RFC 9110, 5.6.2 and 5.5.
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Rejects headers with invalid characters, so that no header can inject a line. For other hosts node:http does this; loading that
 * module would take a twentieth of a cold start. @throws TypeError
 */
function checkHeaders(response: HttpResponse): HttpResponse {
  for (const [name, value] of Object.entries(response.headers))
    if (!headerName.test(name) || !headerValue.test(value))
      throw new TypeError(`The answer has a header that HTTP does not allow: ${JSON.stringify(name)}.`);
  return response;
}

/** Dispatches the request to the service. */
export async function dispatchEvent(
  service: DispatchingService,
  event: HttpLambdaEvent,
  mount: LambdaMount,
  signal: AbortSignal,
): Promise<DispatchedResponse> {
  try {
    const { request, outside } = requestOf(event, mount, signal);
    const { method, url } = request;
    if (!outside) return { method, response: checkHeaders(await service.dispatch(request)) };
    const [path = url] = url.split('?', 1);
    const error = coreErrors.route_not_found({ path: path.slice(0, 200) });
    const requestId = service.core.ports.ids.create('req');
    return { method, response: unknownRoutePage(request, error, requestId) ?? hostRefusal(error, requestId) };
  } catch (cause) {
    return { method: 'GET', response: faultAnswer(service, cause) };
  }
}

/** The result of an event whose response is returned as a whole. */
export async function bufferedResult(
  service: DispatchingService,
  event: HttpLambdaEvent,
  mount: LambdaMount,
): Promise<LambdaHttpResult> {
  const dispatched = new AbortController();
  try {
    const { method, response } = await dispatchEvent(service, event, mount, dispatched.signal);
    return await resultOf(event, method, response);
  } catch (cause) {
    return resultOf(event, 'GET', faultAnswer(service, cause));
  } finally {
    // Ends a stream that was not read to its end, such as the stream of a HEAD, or a stream that is too large.
    dispatched.abort();
  }
}
