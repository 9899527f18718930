// Handles one HTTP event: translates it, dispatches it, and translates the response. Never throws: a fault becomes a response in
// the service's format. Called by index.ts and streaming.ts.
import { coreErrors, type HttpResponse, type Service } from '../../core/index.ts';
import { unknownRoutePage } from '../../core/unstable.ts';
import { refusalAnswer } from '../node/answer.ts';
import { type LambdaHttpResult, ResultTooLarge, resultOf } from './answer.ts';
import type { HttpLambdaEvent } from './events.ts';
import { type LambdaPlace, requestOf } from './request.ts';

type Answering = Pick<Service, 'dispatch' | 'core'>;

/** The service's response to an event, and the method of the request. */
export interface HttpAnswer {
  readonly method: string;
  readonly answer: HttpResponse;
}

/** Logs a fault of the host, and returns its response. */
function faultAnswer({ core }: Answering, cause: unknown): HttpResponse {
  const requestId = core.ports.ids.create('req');
  if (cause instanceof ResultTooLarge) {
    const error = coreErrors.answer_too_large({ limit: cause.limit });
    core.log.warn({ request_id: requestId, limit: cause.limit }, error.message);
    return refusalAnswer(error, requestId);
  }
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  core.log.error({ request_id: requestId, cause: text }, 'the Lambda host failed');
  return refusalAnswer(coreErrors.internal_error(), requestId);
}

// RFC 9110, 5.6.2 and 5.5.
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Rejects headers with invalid characters, so that no header can inject a line. For other hosts node:http does this; loading that
 * module would take a twentieth of a cold start. @throws TypeError
 */
function checked(answer: HttpResponse): HttpResponse {
  for (const [name, value] of Object.entries(answer.headers))
    if (!headerName.test(name) || !headerValue.test(value))
      throw new TypeError(`The answer has a header that HTTP does not allow: ${JSON.stringify(name)}.`);
  return answer;
}

/** Dispatches the request to the service. */
export async function answerOf(
  service: Answering,
  given: HttpLambdaEvent,
  place: LambdaPlace,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  try {
    const { request, outside } = requestOf(given, place, signal);
    const { method, url } = request;
    if (!outside) return { method, answer: checked(await service.dispatch(request)) };
    const [path = url] = url.split('?', 1);
    const error = coreErrors.route_not_found({ path: path.slice(0, 200) });
    const requestId = service.core.ports.ids.create('req');
    return { method, answer: unknownRoutePage(request, error, requestId) ?? refusalAnswer(error, requestId) };
  } catch (cause) {
    return { method: 'GET', answer: faultAnswer(service, cause) };
  }
}

/** The result of an event whose response is returned as a whole. */
export async function bufferedResult(
  service: Answering,
  given: HttpLambdaEvent,
  place: LambdaPlace,
): Promise<LambdaHttpResult> {
  const answered = new AbortController();
  try {
    const { method, answer } = await answerOf(service, given, place, answered.signal);
    return await resultOf(given, method, answer);
  } catch (cause) {
    return resultOf(given, 'GET', faultAnswer(service, cause));
  } finally {
    // Ends a stream that was not read to its end, such as that of a HEAD or one that is too large.
    answered.abort();
  }
}
