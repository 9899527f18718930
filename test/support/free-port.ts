// Finds a local port for a program that must be given a port number.
import { type AddressInfo, createServer } from 'node:net';

/** A port on which nothing listens. Another program may take it before the caller does. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
