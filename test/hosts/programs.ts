// Embedding programs for the tests of the Express host: Express 4 and 5, mounted before or after express.json().
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import express4 from 'express4';
import type { Service } from '../../core/index.ts';
import { expressHost } from '../../hosts/express/index.ts';

/** The Express versions under test. */
export const versions = { 'Express 4': express4, 'Express 5': express };

export type ExpressVersion = keyof typeof versions;

/** A listening program. */
export interface RunningProgram {
  readonly port: number;
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Listens on a free port of this machine. */
export async function listen(program: RequestListener): Promise<RunningProgram> {
  const server = createServer(program);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const serverClosed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await serverClosed;
    },
  };
}

/** A program with its own route and error handler, and the service at /messaging. */
export function embeddingProgram(
  version: ExpressVersion,
  service: Pick<Service, 'dispatch' | 'core'>,
  parser: 'before' | 'after' | 'none',
): express.Express {
  const make = versions[version];
  const app = make();
  if (parser === 'before') app.use(make.json());
  app.use('/messaging', expressHost(service));
  if (parser === 'after') app.use(make.json());
  app.post('/own', (request, response) => {
    if (request.query['fail'] !== undefined) throw new Error('the program failed');
    response.json({ own: request.body as unknown });
  });
  app.use(((error, _request, response, _next) => {
    response.status(599).json({ program: error instanceof Error ? error.message : String(error) });
  }) satisfies express.ErrorRequestHandler);
  return app;
}
