// A relay in front of a database server that can drop the server's answers. Used by the fault tests.
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A connection to the server that can be cut. */
export interface LossyProxy {
  /** The server's address through the relay. */
  readonly url: string;
  /** The next connection that sends `text` gets no further answer: the relay closes it, or leaves it open without an answer. */
  loseResponseTo(text: string, how: 'cut' | 'hang'): void;
  close(): Promise<void>;
}

/** Starts a relay in front of the server at `url`. `url` must contain a port. */
export async function startLossyProxy(url: string): Promise<LossyProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let fatal: { readonly text: string; readonly how: 'cut' | 'hang' } | undefined;
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let loss: 'cut' | 'hang' | undefined;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.on('data', (bytes) => {
      if (fatal !== undefined && bytes.includes(fatal.text)) {
        loss = fatal.how;
        fatal = undefined;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (loss === 'cut') near.destroy();
      if (loss === undefined) near.write(bytes);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The relay has no port.');
  const near = new URL(url);
  near.hostname = '127.0.0.1';
  near.port = String(address.port);
  return {
    url: near.href,
    loseResponseTo(text, how) {
      fatal = { text, how };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
