// A local server in the shape of a social network: the part that all networks share. It reads complete requests with their forms and
// files, refuses requests that differ from the published description (a failing assertion ends the test), and fails on demand.
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Outgoing } from '../../../core/index.ts';
import { createOutgoing } from '../../../core/outgoing/index.ts';
import type { ServerFault } from '../../../plugins/social/testing/index.ts';

/** A file in a form. */
export interface SentFile {
  readonly field: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** A completely read request. */
export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The fields of a form, URL-encoded or multipart. */
  readonly form: Readonly<Record<string, string>>;
  readonly files: readonly SentFile[];
  /** Empty if the body is not JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** An answer. An object as body is written as JSON. */
export interface ServedResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown by `answer` to send the network's own refusal. */
export class ApiRefusal extends Error {
  readonly answer: ServedResponse;
  constructor(answer: ServedResponse) {
    super(`The API answers ${answer.status}.`);
    this.answer = answer;
  }
}

/** The parts that differ between networks. */
export interface ServedNetwork {
  /** Answers a request. Throws an AssertionError if the request differs from the description. */
  answer(request: ServedRequest, url: string): ServedResponse | Promise<ServedResponse>;
  /** True if the request would make something visible. */
  isVisible(request: ServedRequest): boolean;
  /** True if the request reads posts, or the result of an earlier request. */
  isLookup(request: ServedRequest): boolean;
  /** Refusals in the network's format. */
  readonly refusals: {
    readonly rejected: ServedResponse;
    readonly limited: ServedResponse;
    readonly disconnected: ServedResponse;
  };
  /** The answer when the network is down. (Default: 503 without a body) */
  readonly down?: ServedResponse;
}

/** A running server. */
export interface NetworkServer {
  readonly url: string;
  readonly outgoing: Outgoing;
  /** All requests, as `POST /path`. */
  readonly requests: string[];
  simulateFault(kind: ServerFault | null): void;
  /** @throws the first assertion that failed */
  checkFaults(): void;
  /** @throws the first assertion that failed */
  dispose(): Promise<void>;
}

/** The parts of a multipart body (RFC 7578). */
function readMultipart(body: Buffer, boundary: string): Pick<ServedRequest, 'form' | 'files'> {
  const form: Record<string, string> = {};
  const files: SentFile[] = [];
  const parts = body.toString('latin1').split(`--${boundary}`);
  assert.equal(parts.at(-1), '--\r\n', 'a form ends with its boundary');
  for (const part of parts.slice(1, -1)) {
    const [head = '', ...contentParts] = part.split('\r\n\r\n');
    const bytes = Buffer.from(contentParts.join('\r\n\r\n').slice(0, -2), 'latin1');
    const field = head.match(/name="([^"]*)"/)?.[1] ?? '';
    if (!/filename=/.test(head)) form[field] = bytes.toString('utf8');
    else files.push({ field, contentType: head.match(/Content-Type: (\S+)/i)?.[1] ?? '', bytes });
  }
  return { form, files };
}

function formOf(body: Buffer, type: string): Pick<ServedRequest, 'form' | 'files'> {
  const boundary = /^multipart\/form-data; ?boundary="?([^";]+)"?$/.exec(type)?.[1];
  if (boundary !== undefined) return readMultipart(body, boundary);
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  return { form: isForm ? Object.fromEntries(new URLSearchParams(body.toString())) : {}, files: [] };
}

function requestOf(method: string, target: string, headers: IncomingHttpHeaders, body: Buffer): ServedRequest {
  const { pathname: path, searchParams } = new URL(target, 'http://localhost');
  const type = headers['content-type'] ?? '';
  const isJson = type.startsWith('application/json') && body.length > 0;
  const json = isJson ? (JSON.parse(body.toString()) as ServedRequest['json']) : {};
  return { method, path, query: Object.fromEntries(searchParams), headers, body, ...formOf(body, type), json };
}

/** Starts a server. `make` gets its address. */
export async function serveNetwork(make: (url: string) => ServedNetwork): Promise<NetworkServer> {
  const faults: unknown[] = [];
  const requests: string[] = [];
  let fault: ServerFault | null = null;
  let network: ServedNetwork | undefined;
  let url = '';

  async function answerOf(served: ServedNetwork, request: ServedRequest): Promise<ServedResponse> {
    try {
      return await served.answer(request, url);
    } catch (error) {
      if (error instanceof ApiRefusal) return error.answer;
      throw error;
    }
  }

  /** The answer; undefined to close the connection without one. */
  async function answer(request: ServedRequest): Promise<ServedResponse | undefined> {
    if (network === undefined) throw new Error('The server has not started.');
    const isVisible = network.isVisible(request);
    if (fault === 'limited') return network.refusals.limited;
    if (fault === 'disconnected') return network.refusals.disconnected;
    if (fault === 'down' || (fault === 'blind' && network.isLookup(request))) return network.down ?? { status: 503 };
    if (fault === 'rejected' && isVisible) return network.refusals.rejected;
    if (fault === 'breaks before' && isVisible) {
      fault = null;
      return undefined;
    }
    const servedAnswer = await answerOf(network, request);
    if (fault !== 'breaks after' || !isVisible) return servedAnswer;
    fault = null;
    return undefined;
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const { method = '', url: target = '/', headers } = request;
      requests.push(`${method} ${target.split('?', 1)[0]}`);
      let answered: ServedResponse | undefined;
      try {
        answered = await answer(requestOf(method, target, headers, Buffer.concat(chunks)));
      } catch (error) {
        faults.push(error);
        answered = { status: 400, body: { message: String(error) } };
      }
      if (answered === undefined) return request.socket.destroy();
      const { status, body, headers: fields = {} } = answered;
      const isPlain = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined;
      response.writeHead(status, { ...(isPlain ? {} : { 'content-type': 'application/json' }), ...fields });
      return response.end(isPlain ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  network = make(url);
  const outgoing = createOutgoing({ environment: 'development' });
  const checkFaults = (): void => {
    if (faults.length > 0) throw faults[0];
  };
  return {
    url,
    outgoing,
    requests,
    simulateFault(kind) {
      fault = kind;
    },
    checkFaults,
    async dispose() {
      await outgoing.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      checkFaults();
    },
  };
}

/** Fails if an object has a member that the description does not name. */
export function assertOnlyKnown(fields: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const unknown = Object.keys(fields).filter((name) => !known.includes(name));
  assert.deepEqual(unknown, [], 'parameters that the description does not name');
}

/** The type of an image by its first bytes. */
export function imageType(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'image/jpeg';
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return 'image/png';
  return 'unknown';
}
