// Every host with the service at its root, for cases that the table cannot show: aborted answers and disconnecting
// clients.
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { serve } from '@hono/node-server';
import fastify from 'fastify';
import { expressHost } from '../../hosts/express/index.ts';
import { fastifyHost } from '../../hosts/fastify/index.ts';
import { nodeHost } from '../../hosts/node/index.ts';
import type { HostBench } from './bench.ts';
import { listening } from './fastify-programs.ts';
import { listen, versions } from './programs.ts';

/** A listening program. */
export interface MountedProgram {
  readonly origin: string;
  close(): Promise<void>;
}

type Service = HostBench['service'];

const overExpress = (version: keyof typeof versions) => (service: Service) =>
  listen(versions[version]().use(expressHost(service)));

/** The hosts, by name. */
export const hosts: Readonly<Record<string, (service: Service) => Promise<MountedProgram>>> = {
  'node:http': (service) => listen(nodeHost(service)),
  'Express 4': overExpress('Express 4'),
  'Express 5': overExpress('Express 5'),
  async Fastify(service) {
    const app = fastify({ forceCloseConnections: true });
    app.register(fastifyHost(service, { stopOnClose: false }));
    return { origin: await listening(app), close: () => app.close() };
  },
  async fetch(service) {
    const server = serve({ fetch: (request) => service.fetch(request), port: 0, hostname: '127.0.0.1' }) as Server;
    if (!server.listening) await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
    return { origin: `http://127.0.0.1:${port}`, close };
  },
};
