// A request's body as Fastify left it, and its size limit. Called by index.ts only.
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { coreErrors, type HttpRequestBody } from '../../core/index.ts';
import { bodyOf as nodeBodyOf, refusedBody, unreadBody } from '../node/body.ts';

/** Fastify's default bodyLimit. A program that sets exactly this value cannot be distinguished from a program that sets none. */
const fastifyDefault = 1_048_576;

/** The limit in bytes: that of the mount, or the program's if it has set one, and never more than the service's. */
export function bodyLimitOf(ofMount: number | undefined, ofProgram: number | undefined, ofService: number): number {
  const configured = ofMount ?? (ofProgram === fastifyDefault ? undefined : ofProgram);
  return Math.min(configured ?? ofService, ofService);
}

async function* limitedBody(body: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) throw coreErrors.payload_too_large({ limit });
    yield chunk;
  }
}

/** The body: the stream after the program's preParsing hooks, or what a middleware left of it. */
export function bodyOf({ raw, body }: FastifyRequest, limit: number, limitOfService: number): HttpRequestBody {
  if (!(body instanceof Readable) || body.readableDidRead) return nodeBodyOf(raw, limit);
  const unread = unreadBody(body);
  // The service enforces its own limit.
  if (limit >= limitOfService) return unread;
  const isDeclared = body === raw && Number(raw.headers['content-length'] ?? 0) > limit;
  return isDeclared ? refusedBody(coreErrors.payload_too_large({ limit })) : limitedBody(unread, limit);
}
