// Makes a stream of an answer safe to hand to a host: it has begun, it keeps to its declared length, it ends when the
// client goes away, and its failure is logged. Called by rest.ts for every answer whose body is a stream.
import type { HttpRequest, HttpResponse } from '../contract/http.ts';
import { isStream } from '../contract/http.ts';
import type { Logger } from '../contract/ports/platform.ts';

/** What stands for a body that is not sent. */
const nothing: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

/** A stream that nobody reads. Node's own does not close what it has opened unless it is destroyed. */
function discard(body: AsyncIterable<Uint8Array>): void {
  const { destroy } = body as { destroy?: unknown };
  if (typeof destroy === 'function') destroy.call(body);
  else
    void body[Symbol.asyncIterator]()
      .return?.()
      .then(undefined, () => undefined);
}

function declaredLength(headers: Readonly<Record<string, string>>): number | undefined {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'content-length');
  return name === undefined ? undefined : Number(headers[name]);
}

/**
 * The answer with a stream that a host may pipe as it is; answers without one stay as they are. HEAD, 204 and 304 never
 * start theirs. The first bytes are awaited: what fails before them is thrown, and can still be answered with an error. What
 * fails later fails the stream, and the host breaks the connection off, so that no client takes a part for the whole.
 */
export async function openStream(
  request: Pick<HttpRequest, 'method' | 'signal'>,
  response: HttpResponse,
  requestId: string,
  log: Logger,
): Promise<HttpResponse> {
  const { status, headers, body } = response;
  if (!isStream(body)) return response;
  if (request.method === 'HEAD' || status === 204 || status === 304) {
    discard(body);
    return { status, headers, body: nothing };
  }
  const { signal } = request;
  const length = declaredLength(headers);
  const iterator = body[Symbol.asyncIterator]();
  let sent = 0;
  let over = false;

  const end = (): void => {
    if (over) return;
    over = true;
    signal?.removeEventListener('abort', end);
    iterator.return?.().then(undefined, () => undefined);
  };
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted === true) end();

  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    // Never an ordinary end: somebody may still be reading, and would take the part for the whole.
    signal?.throwIfAborted();
    if (over) return { done: true, value: undefined };
    try {
      const step = await iterator.next();
      signal?.throwIfAborted();
      if (step.done !== true) sent += step.value.byteLength;
      if (length !== undefined && (step.done === true ? sent !== length : sent > length))
        throw new Error(`The stream of an answer had ${sent} bytes and declared ${length}.`);
      if (step.done !== true) return step;
      over = true;
      signal?.removeEventListener('abort', end);
      return { done: true, value: undefined };
    } catch (cause) {
      end();
      throw cause;
    }
  };

  const nextOrLog = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    try {
      return await next();
    } catch (cause) {
      const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      if (signal?.aborted !== true) log.error({ request_id: requestId, cause: text }, 'the stream of an answer failed');
      throw cause;
    }
  };

  let first = await next().catch((cause: unknown) => {
    if (signal?.aborted !== true) throw cause;
    return undefined;
  });
  return {
    status,
    headers,
    body: {
      [Symbol.asyncIterator]: () => ({
        async next() {
          const begun = first;
          first = undefined;
          return begun ?? nextOrLog();
        },
        async return() {
          end();
          return { done: true, value: undefined };
        },
      }),
    },
  };
}
