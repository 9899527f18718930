// A local server in the shape of a social network: what is the same for all of them. It keeps posts in memory, refuses requests
// that differ from the published description (an assertion that fails ends the test), and makes trouble on demand.
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Outgoing } from '../../../core/index.ts';
import { createOutgoing } from '../../../core/outgoing/index.ts';
import type { ServerTrouble } from '../../../plugins/social/testing/index.ts';

/** A request as it came. */
export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What is answered; an object is written as JSON. */
export interface ServedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What differs from network to network. */
export interface ServedNetwork {
  /** Does what the request asks. Fails an assertion for a request that the network does not describe. */
  handle(request: ServedRequest): ServedAnswer | Promise<ServedAnswer>;
  /** Whether the request would make something visible. */
  isVisible(request: ServedRequest): boolean;
  /** Whether the request asks about posts. */
  isQuestion(request: ServedRequest): boolean;
  readonly rejected: ServedAnswer;
  readonly limited: ServedAnswer;
  readonly disconnected: ServedAnswer;
  /** (Default: 503 without a body) */
  readonly down?: ServedAnswer;
}

/** A server in use. */
export interface NetworkServer {
  readonly url: string;
  readonly outgoing: Outgoing;
  /** All requests, as `POST /path`. */
  readonly requests: string[];
  trouble(kind: ServerTrouble | null): void;
  /** @throws the first assertion that failed */
  checkFaults(): void;
  dispose(): Promise<void>;
}

/** Starts one. `make` gets its address. */
export async function serveNetwork(make: (url: string) => ServedNetwork): Promise<NetworkServer> {
  const faults: unknown[] = [];
  const requests: string[] = [];
  let trouble: ServerTrouble | null = null;
  let network: ServedNetwork | undefined;

  /** undefined: the connection closes without an answer. */
  async function answer(request: ServedRequest): Promise<ServedAnswer | undefined> {
    if (network === undefined) throw new Error('The server has not started.');
    const isVisible = network.isVisible(request);
    if (trouble === 'limited') return network.limited;
    if (trouble === 'disconnected') return network.disconnected;
    if (trouble === 'down' || (trouble === 'blind' && network.isQuestion(request)))
      return network.down ?? { status: 503 };
    if (trouble === 'rejected' && isVisible) return network.rejected;
    if (trouble === 'breaks before' && isVisible) {
      trouble = null;
      return undefined;
    }
    const answered = await network.handle(request);
    if (trouble !== 'breaks after' || !isVisible) return answered;
    trouble = null;
    return undefined;
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const { method = '', headers } = request;
      requests.push(`${method} ${pathname}`);
      let answered: ServedAnswer | undefined;
      try {
        answered = await answer({ method, path: pathname, query: searchParams, headers, body: Buffer.concat(chunks) });
      } catch (error) {
        faults.push(error);
        answered = { status: 400, body: { message: String(error) } };
      }
      if (answered === undefined) return request.socket.destroy();
      const { status, body, headers: given = {} } = answered;
      const isPlain = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined;
      response.writeHead(status, { ...(isPlain ? {} : { 'content-type': 'application/json' }), ...given });
      return response.end(isPlain ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  network = make(url);
  const outgoing = createOutgoing({ environment: 'development' });
  return {
    url,
    outgoing,
    requests,
    trouble(kind) {
      trouble = kind;
    },
    checkFaults() {
      if (faults.length > 0) throw faults[0];
    },
    async dispose() {
      await outgoing.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The parts of a multipart body (RFC 7578), by name. */
export function readForm({ headers, body }: ServedRequest): ReadonlyMap<string, Buffer> {
  const boundary = /^multipart\/form-data; ?boundary="?([^";]+)"?$/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw new Error(`no multipart form but ${headers['content-type']}`);
  const parts = new Map<string, Buffer>();
  const text = body.toString('latin1');
  for (const part of text.split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n');
    const name = /name="([^"]*)"/.exec(part.slice(0, end))?.[1] ?? '';
    parts.set(name, Buffer.from(part.slice(end + 4, -2), 'latin1'));
  }
  return parts;
}

/** The body as JSON. */
export const readJson = ({ headers, body }: ServedRequest): Record<string, unknown> => {
  if (!(headers['content-type'] ?? '').startsWith('application/json')) throw new Error('The body is not JSON.');
  return JSON.parse(body.toString('utf8')) as Record<string, unknown>;
};
