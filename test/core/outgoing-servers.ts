// Servers for the tests of outgoing requests: a DNS server, and servers for TCP, HTTP and TLS, all on loopback.
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type DNS from 'dns2';
import { createServer as createDns, Packet } from 'dns2';
import { isOutgoingError, type OutgoingFault } from '../../core/index.ts';
import { queryDns, type Resolve } from '../../core/outgoing/resolve.ts';
import type { Certificate } from './outgoing-certificate.ts';

/** The DNS result of a name: its addresses, its CNAME, or a failure. */
export type DnsResult = readonly string[] | { readonly cname: string } | 'silent' | 'server failure';

/** A DNS server. The result of a name may change from query to query. */
export interface NameServer {
  readonly names: Map<string, DnsResult | (() => DnsResult)>;
  readonly queries: string[];
  readonly resolve: Resolve;
  close(): Promise<void>;
}

export async function startNames(): Promise<NameServer> {
  const names: NameServer['names'] = new Map();
  const queries: string[] = [];
  const { TYPE, CLASS } = Packet;
  const server = createDns({
    udp: true,
    handle(request, send) {
      const response = Packet.createResponseFromRequest(request);
      const add = (record: Omit<DNS.Packet.Resource, 'toBuffer' | 'class' | 'ttl'>) =>
        response.answers.push({ ...record, class: CLASS.IN, ttl: 0 } as DNS.Packet.Resource);
      const [{ name, type } = { name: '', type: 0 }] = request.questions;
      queries.push(`${name} ${type === TYPE.A ? 'A' : 'AAAA'}`);
      const answer = (of: string): boolean => {
        const entry = names.get(of);
        const records = typeof entry === 'function' ? entry() : entry;
        if (records === 'silent') return false;
        if (records === undefined) response.header.rcode = 3;
        else if (records === 'server failure') response.header.rcode = 2;
        else if ('cname' in records) {
          add({ name: of, type: TYPE.CNAME, domain: records.cname });
          return answer(records.cname);
        } else {
          for (const address of records.filter((one) => one.includes(':') === (type === TYPE.AAAA)))
            add({ name: of, type, address });
        }
        return true;
      };
      if (answer(name)) void send(response);
    },
  });
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } });
  const port = (udp as AddressInfo).port;
  return {
    names,
    queries,
    resolve: (name) => queryDns(name, [`127.0.0.1:${port}`]),
    close: async () => void (await server.close()),
  };
}

/** A server on a free port of 127.0.0.1 that counts its connections. */
export interface ListeningServer {
  readonly port: number;
  readonly sockets: Set<Socket>;
  /** The number of all connections so far */
  connections: number;
  close(): Promise<void>;
}

async function startListening(server: Server, host = '127.0.0.1'): Promise<ListeningServer> {
  const sockets = new Set<Socket>();
  const listeningServer: ListeningServer = {
    port: 0,
    sockets,
    connections: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  server.on('connection', (socket: Socket) => {
    listeningServer.connections += 1;
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return Object.assign(listeningServer, { port: (server.address() as AddressInfo).port });
}

export const serveHttp = (handle: RequestListener): Promise<ListeningServer> =>
  startListening(createHttpServer(handle));

export const serveHttps = (certificate: Certificate, handle: RequestListener): Promise<ListeningServer> =>
  startListening(createHttpsServer({ ...certificate }, handle));

/** A bare TCP server. `talk` handles each connection. */
export const serveTcp = (talk: (socket: Socket) => void): Promise<ListeningServer> =>
  startListening(
    createTcpServer((socket) => {
      talk(socket);
      // A socket that is not read does not notice that it was closed.
      socket.resume();
    }),
  );

/** Returns the fault and the message of `work`, which must fail. */
export async function faultOf(work: Promise<unknown>): Promise<{ fault: OutgoingFault; message: string }> {
  const error = await work.then(
    (answer) => new Error(`It was answered: ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  );
  if (!isOutgoingError(error)) throw error;
  return { fault: error.fault, message: error.message };
}
