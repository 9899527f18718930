// Function URLs that stream. The response is written while it is made, and its remaining jobs run after it, because the function
// runs until its handler has returned. Called by index.ts only.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { isStream, type Service } from '../../core/index.ts';
import { LambdaHostError } from './errors.ts';
import type { HttpLambdaEvent } from './events.ts';
import { dispatchEvent } from './http.ts';
import type { LambdaMount } from './request.ts';
import { sizedHeaders } from './result.ts';

type Handler<Context> = (event: unknown, stream: Writable, context: Context) => Promise<void>;

/** The global `awslambda` of Lambda's runtime for Node.js. */
interface LambdaRuntime {
  streamifyResponse<Context>(handler: Handler<Context>): unknown;
  readonly HttpResponseStream: { from(stream: Writable, metadata: object): Writable };
}

/** @throws LambdaHostError if the runtime cannot stream */
export function runtimeOrThrow(): LambdaRuntime {
  const { awslambda } = globalThis as { awslambda?: LambdaRuntime };
  if (awslambda !== undefined) return awslambda;
  throw new LambdaHostError(
    'streaming_unavailable',
    'The option streaming works only in the Node.js runtime of AWS Lambda. Leave it out elsewhere.',
  );
}

/** The head of a response, as the first part of a stream. */
function metadataOf(status: number, headers: Readonly<Record<string, string>>): object {
  const entries = Object.entries(headers);
  const cookies = entries.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value);
  const rest = Object.fromEntries(entries.filter(([name]) => name.toLowerCase() !== 'set-cookie'));
  return { statusCode: status, headers: rest, ...(cookies.length === 0 ? {} : { cookies }) };
}

/**
 * Writes the response to an event. @throws the error of a stream that fails after its head was written: Lambda then ends the
 * connection, so that no client mistakes a part for the whole
 */
export async function streamResponse(
  service: Pick<Service, 'dispatch' | 'core'>,
  event: HttpLambdaEvent,
  mount: LambdaMount,
  stream: Writable,
): Promise<void> {
  const disconnected = new AbortController();
  stream.once('close', () => {
    if (!stream.writableFinished) disconnected.abort();
  });
  try {
    const { method, response } = await dispatchEvent(service, event, mount, disconnected.signal);
    const { status, body } = response;
    const answering = runtimeOrThrow().HttpResponseStream.from(stream, metadataOf(status, sizedHeaders(response)));
    if (method === 'HEAD') return await endWith(answering, '');
    if (!isStream(body)) return await endWith(answering, body);
    // pipeline is not used: the runtime ends a broken stream itself, and stops the instance if another party does.
    for await (const chunk of body) {
      if (!answering.write(chunk)) await once(answering, 'drain', { signal: disconnected.signal });
    }
    await endWith(answering, '');
  } finally {
    // Ends a stream that was not read, such as the stream of a HEAD.
    disconnected.abort();
  }
}

/** Writes the last bytes. Resolves when they were accepted. */
export function endWith(stream: Writable, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject);
    // The runtime writes the head of a response with its first bytes, so an empty response also needs a write.
    stream.write(bytes);
    stream.end(() => resolve());
  });
}
