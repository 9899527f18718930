// Listens on the wanted port, or on the next free one. Called by serve.ts and by the command dev.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError } from '../../../core/index.ts';

const maxTries = 50;
const closeLimitMs = 2_000;

function tryPort(server: Server, port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(new CommandError(`Nothing can listen on ${host}:${port}: ${error.message}`, { cause: error }));
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve(true);
    });
  });
}

/** A port as text. @throws CommandError with exit code 2 */
export function portOf(text: string, origin: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new CommandError(`${origin} must be a port, 0 to 65535, not ${text}.`, { exitCode: 2 });
}

/** A listening server and its port: `firstPort`, or the next free one. If `firstPort` is 0, any free port is used. */
export async function listenFrom(
  firstPort: number,
  host: string,
  listener: RequestListener,
): Promise<{ readonly server: Server; readonly port: number }> {
  const last = Math.min(firstPort + maxTries, 65_536);
  for (let port = firstPort; port < last; port += 1) {
    const server = createServer(listener);
    if (await tryPort(server, port, host)) return { server, port: (server.address() as AddressInfo).port };
  }
  throw new CommandError(`No port from ${firstPort} to ${last - 1} is free. Choose another: postrider dev --port 8080`);
}

/** Accepts no further requests, gives running requests a limited time to end, and frees the port. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), closeLimitMs);
  await closed;
  clearTimeout(timer);
}
