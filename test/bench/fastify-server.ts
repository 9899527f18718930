/*
 * Puts a service behind Fastify with nothing else beside it: raw bytes in, the dispatched answer out.
 */

import Fastify from 'fastify';
import type { Service } from '../../core/index.ts';

/** Listens on 127.0.0.1 and answers the port. */
export async function serveWithFastify(service: Pick<Service<never>, 'dispatch'>, port: number): Promise<number> {
  const server = Fastify({ bodyLimit: 15 * 1024 * 1024 });
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.all('/*', async (request, reply) => {
    const answer = await service.dispatch({
      method: request.method,
      url: request.url,
      headers: request.headers as Record<string, string>,
      body: request.body as Buffer | undefined,
      address: request.ip,
    });
    reply.code(answer.status).headers(answer.headers);
    return answer.body;
  });
  const address = await server.listen({ port, host: '127.0.0.1' });
  return Number(new URL(address).port);
}
