// Listens on the wanted port of this machine, or on the next one that is free.
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const tries = 50;

function tryPort(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => {
      server.removeAllListeners('error');
      resolve(true);
    });
  });
}

/** A listening server and its port. 0 takes any free port. */
export async function listenFrom(wanted: number, program: RequestListener): Promise<{ server: Server; port: number }> {
  for (let port = wanted; port < wanted + tries && port < 65_536; port += 1) {
    const server = createServer(program);
    if (await tryPort(server, port)) return { server, port: (server.address() as AddressInfo).port };
  }
  throw new Error(`No port from ${wanted} on is free. Choose another: PORT=8080 npm start`);
}
