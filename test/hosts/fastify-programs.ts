// Embedding programs for the tests of the Fastify host, and a function that calls them without a socket.
import { Readable } from 'node:stream';
import type { FastifyInstance, InjectOptions } from 'fastify';
import fastify from 'fastify';
import type { Service } from '../../core/index.ts';
import { type FastifyHostOptions, fastifyHost } from '../../hosts/fastify/index.ts';
import { bodyText, type HostClient } from './host-clients.ts';

/** A program with its own parser, route and handlers, and with the service at /messaging. */
export function fastifyProgram(
  service: Pick<Service, 'dispatch' | 'core' | 'stop'>,
  options: FastifyHostOptions = {},
): FastifyInstance {
  const app = fastify();
  app.addContentTypeParser('application/x-own', { parseAs: 'string' }, async (_request: unknown, body: string) => ({
    own: body,
  }));
  app.register(fastifyHost(service, { stopOnClose: false, ...options }), { prefix: '/messaging' });
  app.post<{ Querystring: { fail?: string } }>('/own', async (request) => {
    if (request.query.fail !== undefined) throw new Error('the program failed');
    return { own: request.body };
  });
  app.setErrorHandler((error, _request, reply) => {
    reply.code(599).send({ program: error instanceof Error ? error.message : String(error) });
  });
  app.setNotFoundHandler((request, reply) => {
    reply.code(404).send(`the program has no ${request.url}`);
  });
  return app;
}

/** Listens on a free port of this machine and returns its address. */
export const listening = (app: FastifyInstance): Promise<string> => app.listen({ port: 0, host: '127.0.0.1' });

/** Calls through light-my-request: without a socket, and with a request that does not come from node. */
export const injectClient = (app: FastifyInstance, mount: string): HostClient => {
  return async ({ method, path, headers, body, chunked }) => {
    const payloadOptions =
      body === undefined ? {} : { payload: chunked === true ? Readable.from([Buffer.from(body)]) : body };
    const streamHeaders = chunked === true ? { 'transfer-encoding': 'chunked' } : {};
    const answer = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: `${mount}${path}`,
      headers: { ...headers, ...streamHeaders },
      ...payloadOptions,
    });
    const entries = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    const text = bodyText(answer.rawPayload, answer.headers['content-encoding'] as string | undefined);
    return { status: answer.statusCode, headers: Object.fromEntries(entries), body: text };
  };
};
