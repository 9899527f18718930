// A request's body as Fastify left it, and its size limit. Called by index.ts only.
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { coreErrors, type HttpRequestBody } from '../../core/index.ts';
import { bodyOf as nodeBodyOf, refusedBody, unreadBody } from '../node/body.ts';

/** Fastify's default bodyLimit. A program that sets exactly this value cannot be distinguished from a program that sets no value. */
const fastifyDefault = 1_048_576;

/** The limit in bytes: the limit of the mount, else the limit that the program has set, but never more than the service's limit. */
export function bodyLimitOf(
  mountLimit: number | undefined,
  programLimit: number | undefined,
  serviceLimit: number,
): number {
  const configured = mountLimit ?? (programLimit === fastifyDefault ? undefined : programLimit);
  return Math.min(configured ?? serviceLimit, serviceLimit);
}

async function* limitedBody(body: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) throw coreErrors.payload_too_large({ limit });
    yield chunk;
  }
}

/** The body: the stream after the program's preParsing hooks, or the rest of the stream after a middleware has read from it. */
export function bodyOf({ raw, body }: FastifyRequest, limit: number, serviceLimit: number): HttpRequestBody {
  if (!(body instanceof Readable) || body.readableDidRead) return nodeBodyOf(raw, limit);
  const unread = unreadBody(body);
  // The service enforces its own limit.
  if (limit >= serviceLimit) return unread;
  const isDeclaredTooLarge = body === raw && Number(raw.headers['content-length'] ?? 0) > limit;
  return isDeclaredTooLarge ? refusedBody(coreErrors.payload_too_large({ limit })) : limitedBody(unread, limit);
}
