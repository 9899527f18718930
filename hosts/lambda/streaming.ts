// Function URLs that stream: the answer is written as it is made, and the work that it left is done after it, since the
// function runs until its handler has returned. Called by index.ts only.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { isStream, type Service } from '../../core/index.ts';
import { sizedHeaders } from './answer.ts';
import { LambdaHostError } from './errors.ts';
import type { HttpLambdaEvent } from './events.ts';
import { answerOf } from './http.ts';
import type { LambdaPlace } from './request.ts';

type Handler<Context> = (event: unknown, stream: Writable, context: Context) => Promise<void>;

/** What Lambda's runtime for Node.js puts into the global `awslambda`. */
interface LambdaRuntime {
  streamifyResponse<Context>(handler: Handler<Context>): unknown;
  readonly HttpResponseStream: { from(stream: Writable, metadata: object): Writable };
}

/** @throws LambdaHostError where the runtime cannot stream */
export function runtimeOrThrow(): LambdaRuntime {
  const { awslambda } = globalThis as { awslambda?: LambdaRuntime };
  if (awslambda !== undefined) return awslambda;
  throw new LambdaHostError(
    'streaming_unavailable',
    'The option streaming needs the Node.js runtime of AWS Lambda, which is not here. Leave it out elsewhere.',
  );
}

/** The head of an answer as a stream begins with it. */
function metadataOf(status: number, headers: Readonly<Record<string, string>>): object {
  const entries = Object.entries(headers);
  const cookies = entries.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value);
  const rest = Object.fromEntries(entries.filter(([name]) => name.toLowerCase() !== 'set-cookie'));
  return { statusCode: status, headers: rest, ...(cookies.length === 0 ? {} : { cookies }) };
}

/**
 * Writes the answer to an event. @throws what a stream fails with after its head was written: Lambda ends the
 * connection then, so that no client takes a part for the whole
 */
export async function streamAnswer(
  service: Pick<Service, 'dispatch' | 'core'>,
  given: HttpLambdaEvent,
  place: LambdaPlace,
  stream: Writable,
): Promise<void> {
  const gone = new AbortController();
  stream.once('close', () => {
    if (!stream.writableFinished) gone.abort();
  });
  try {
    const { method, answer } = await answerOf(service, given, place, gone.signal);
    const { status, body } = answer;
    const answering = runtimeOrThrow().HttpResponseStream.from(stream, metadataOf(status, sizedHeaders(answer)));
    if (method === 'HEAD') return await endedWith(answering, '');
    if (!isStream(body)) return await endedWith(answering, body);
    // Not a pipeline: the runtime ends a broken stream itself, and ends the instance where another one does.
    for await (const chunk of body) {
      if (!answering.write(chunk)) await once(answering, 'drain', { signal: gone.signal });
    }
    await endedWith(answering, '');
  } finally {
    // Ends a stream that was not read, as that of a HEAD.
    gone.abort();
  }
}

/** Writes the last bytes; resolves when they were taken. */
export function endedWith(stream: Writable, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject);
    // The runtime writes the head of an answer with its first bytes: an empty answer has some, too.
    stream.write(bytes);
    stream.end(() => resolve());
  });
}
