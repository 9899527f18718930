// Makes the stream of an answer safe for a host: its first bytes are ready, it has its declared length, it ends when
// the client disconnects, and its failure is logged. Called by rest.ts for every answer whose body is a stream.
import { type HttpRequest, type HttpResponse, isStream } from '../contract/http/http.ts';
import type { Logger } from '../contract/ports/platform.ts';

/** An empty stream, for responses that must not have a body. */
const emptyStream: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

/** Discards an unread stream. Node streams release their resources only when they are destroyed. */
function discard(body: AsyncIterable<Uint8Array>): void {
  const { destroy } = body as { destroy?: unknown };
  if (typeof destroy === 'function') destroy.call(body);
  else
    void body[Symbol.asyncIterator]()
      .return?.()
      .then(undefined, () => undefined);
}

function declaredLength(headers: Readonly<Record<string, string>>): number | undefined {
  const name = Object.keys(headers).find((candidate) => candidate.toLowerCase() === 'content-length');
  return name === undefined ? undefined : Number(headers[name]);
}

/**
 * The response with a stream that a host can pipe without checks; other responses stay the same. HEAD, 204 and 304
 * never start their stream. The first bytes are awaited: a failure before them is thrown, so that the response can be
 * an error. A later failure fails the stream, and the host closes the connection, so that no client mistakes a part for
 * the whole.
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
    return { status, headers, body: emptyStream };
  }
  const { signal } = request;
  const length = declaredLength(headers);
  const iterator = body[Symbol.asyncIterator]();
  let sent = 0;
  let hasEnded = false;

  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    signal?.removeEventListener('abort', end);
    iterator.return?.().then(undefined, () => undefined);
  };
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted === true) end();

  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    // Not an ordinary end: a client that is still reading would mistake the part for the whole.
    signal?.throwIfAborted();
    if (hasEnded) return { done: true, value: undefined };
    try {
      const step = await iterator.next();
      signal?.throwIfAborted();
      if (step.done !== true) sent += step.value.byteLength;
      if (length !== undefined && (step.done === true ? sent !== length : sent > length))
        throw new Error(`The stream of an answer had ${sent} bytes and declared ${length}.`);
      if (step.done !== true) return step;
      hasEnded = true;
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
          const firstPending = first;
          first = undefined;
          return firstPending ?? nextOrLog();
        },
        async return() {
          end();
          return { done: true, value: undefined };
        },
      }),
    },
  };
}
