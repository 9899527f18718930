// Sends a response through Fastify's reply, so that the program's onSend and onResponse hooks and its headers apply. Called by
// index.ts only.
import type { Http2ServerRequest } from 'node:http2';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type HttpResponse, isStream } from '../../core/index.ts';
import { endWithServer } from '../node/closing.ts';
import { isStillUploading, readableOf, writeResponse } from '../node/response.ts';

/**
 * RFC 9113, section 8.1: after the response, tells the client to stop sending its body; otherwise the client would wait for flow
 * control. Received data is discarded, because a stream with unread data keeps its session open.
 */
function endWithAnswer(request: Http2ServerRequest): void {
  request.stream.once('finish', () => {
    request.resume();
    request.stream.close();
  });
}

/** Sends the response. Headers that the program set before stay unless the response also sets them. */
export function sendResponse({ raw }: FastifyRequest, reply: FastifyReply, response: HttpResponse): void {
  if (isStillUploading(raw)) {
    // Fastify would end the response at once, and close the connection while the body is still arriving.
    const programHeaders = reply.getHeaders();
    reply.hijack();
    for (const [name, value] of Object.entries(programHeaders))
      if (value !== undefined) reply.raw.setHeader(name, value);
    writeResponse(raw, reply.raw, response);
    return;
  }
  if (raw.httpVersionMajor === 2 && !raw.complete) endWithAnswer(raw as unknown as Http2ServerRequest);
  endWithServer(raw, reply.raw);
  reply.code(response.status).headers(response.headers);
  const { body } = response;
  // Fastify also writes a stream's body to HEAD, and sets a content type for every text, even an empty one.
  if (isStream(body)) reply.send(raw.method === 'HEAD' ? undefined : readableOf(body));
  else reply.send(body.length === 0 ? undefined : body);
}
