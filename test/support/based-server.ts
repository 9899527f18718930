// A service on a local server, below a base path, as a program mounts it. For tests of pages.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isStream } from '../../core/index.ts';
import type { Service } from '../../core/kernel/compose.ts';

/** Serves the service below the base path. `port` may be the port of an earlier run. (Default: a free port) */
export async function serveBelow(base: string, service: Pick<Service, 'dispatch'>, port = 0): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url = '', method = 'GET' } = request;
    const headers: Record<string, string | undefined> = {};
    for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value);
    const answer = url.startsWith(base)
      ? await service.dispatch({
          method,
          url: url.slice(base.length),
          headers,
          body: chunks.length === 0 ? undefined : Buffer.concat(chunks),
          address: request.socket.remoteAddress ?? '',
        })
      : { status: 404, headers: {}, body: 'Outside' };
    response.writeHead(answer.status, answer.headers);
    if (isStream(answer.body)) {
      for await (const chunk of answer.body) response.write(chunk);
      response.end();
    } else response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
