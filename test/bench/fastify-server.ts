/*
 * Serves a service behind Fastify as an embedding program does, through hosts/fastify, with nothing else.
 */

import Fastify from 'fastify';
import type { Service } from '../../core/index.ts';
import { fastifyHost } from '../../hosts/fastify/index.ts';

/** Listens on 127.0.0.1 and returns the port. */
export async function serveWithFastify(
  service: Pick<Service<never>, 'dispatch' | 'core' | 'stop'>,
  port: number,
): Promise<number> {
  const server = Fastify();
  server.register(fastifyHost(service));
  const address = await server.listen({ port, host: '127.0.0.1' });
  return Number(new URL(address).port);
}
