// The table of requests through service.fetch below a path, behind Hono on node:http as in docs/hosts.md: the
// answers equal those at the root exactly.
// full-run: slow
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { suite } from 'uvu';
import { type HostClient, hostClientTo } from './host-clients.ts';
import { testHostTable } from './table.ts';

const test = suite('requests through fetch');
const basePath = '/messaging';

testHostTable(test, 'Hono', async ({ service }) => {
  const hono = new Hono();
  hono.all('/messaging/*', (context) =>
    service.fetch(context.req.raw, { basePath, address: getConnInfo(context).remote.address }),
  );
  const server = serve({ fetch: hono.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    await new Promise((resolve) => server.close(resolve));
  };
  const client = hostClientTo(`http://127.0.0.1:${port}${basePath}`);
  // Hono's server closes a connection some time after it has refused a body, which would break a later request.
  const onOwnConnection: HostClient = (request) =>
    client({ ...request, headers: { ...request.headers, connection: 'close' } });
  return { client: onOwnConnection, close };
});

test.run();
