// A strict HTTP API on loopback for tests of networks: reads requests whole, plays troubles, and keeps what differed from the
// published description, so that the test fails by it.
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Outgoing } from '../../../core/index.ts';
import { createOutgoing } from '../../../core/outgoing/index.ts';
import type { ServerTrouble } from '../../../plugins/social/testing/index.ts';

/** A file of a form. */
export interface SentFile {
  readonly field: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** A request, read whole. */
export interface ApiCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** The fields of a form, URL-encoded or multipart. */
  readonly form: Readonly<Record<string, string>>;
  readonly files: readonly SentFile[];
  readonly json: Readonly<Record<string, unknown>>;
}

export interface ApiAnswer {
  readonly status: number;
  /** Written as JSON. (Default: no body) */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown by `answer` with the network's own refusal. */
export class ApiRefusal extends Error {
  readonly answer: ApiAnswer;
  constructor(answer: ApiAnswer) {
    super(`The API answers ${answer.status}.`);
    this.answer = answer;
  }
}

/** One network's API. */
export interface NetworkApi {
  /** Answers a request. Throws an AssertionError where it differs from the description. */
  answer(call: ApiCall, url: string): Promise<ApiAnswer> | ApiAnswer;
  /** Whether the request makes something visible. */
  isVisible(call: ApiCall): boolean;
  /** Whether it asks about posts, or about what became of one. */
  isQuestion(call: ApiCall): boolean;
  /** Refusals in the network's words. `call` is the request that is refused. */
  readonly refusals: Readonly<Record<'rejected' | 'limited' | 'disconnected', (call: ApiCall) => ApiAnswer>>;
}

export interface RunningApi {
  readonly url: string;
  readonly outgoing: Outgoing;
  readonly calls: readonly ApiCall[];
  trouble(kind: ServerTrouble | null): void;
  /** Fails where a request differed from the description. */
  dispose(): Promise<void>;
}

function readMultipart(body: Buffer, boundary: string): Pick<ApiCall, 'form' | 'files'> {
  const form: Record<string, string> = {};
  const files: SentFile[] = [];
  const parts = body.toString('latin1').split(`--${boundary}`);
  assert.equal(parts.at(-1), '--\r\n', 'a form ends with its boundary');
  for (const part of parts.slice(1, -1)) {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const bytes = Buffer.from(rest.join('\r\n\r\n').slice(0, -2), 'latin1');
    const field = head.match(/name="([^"]*)"/)?.[1] ?? '';
    if (!/filename=/.test(head)) form[field] = bytes.toString('utf8');
    else files.push({ field, contentType: head.match(/Content-Type: (\S+)/i)?.[1] ?? '', bytes });
  }
  return { form, files };
}

async function read(request: IncomingMessage): Promise<ApiCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const url = new URL(request.url ?? '/', 'http://api');
  const type = request.headers['content-type'] ?? '';
  const boundary = type.match(/^multipart\/form-data; boundary=(\S+)$/)?.[1];
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const { form, files } =
    boundary === undefined
      ? { form: isForm ? Object.fromEntries(new URLSearchParams(body.toString())) : {}, files: [] }
      : readMultipart(body, boundary);
  const json: unknown = type.startsWith('application/json') && body.length > 0 ? JSON.parse(body.toString()) : {};
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    body,
    form,
    files,
    json: json as ApiCall['json'],
  };
}

const down: ApiAnswer = { status: 503, body: { message: 'Service unavailable' } };

/** Starts it on a free port. */
export async function startApi(api: NetworkApi): Promise<RunningApi> {
  const differences: string[] = [];
  const calls: ApiCall[] = [];
  let trouble: ServerTrouble | null = null;
  let url = '';

  async function answer(call: ApiCall): Promise<ApiAnswer> {
    if (trouble === 'down') return down;
    if (trouble === 'limited' || trouble === 'disconnected') return api.refusals[trouble](call);
    if (trouble === 'rejected' && api.isVisible(call)) return api.refusals.rejected(call);
    if (trouble === 'blind' && api.isQuestion(call)) return down;
    return api.answer(call, url);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await read(request);
    calls.push(call);
    const broken = (trouble === 'breaks before' || trouble === 'breaks after') && api.isVisible(call) ? trouble : null;
    if (broken !== null) trouble = null;
    if (broken === 'breaks before') {
      request.socket.destroy();
      return;
    }
    let given: ApiAnswer;
    try {
      given = await answer(call);
    } catch (error) {
      if (error instanceof ApiRefusal) given = error.answer;
      else {
        differences.push(`${call.method} ${call.path}: ${error instanceof Error ? error.message : String(error)}`);
        given = { status: 400, body: { message: 'The request differs from the description.' } };
      }
    }
    if (broken === 'breaks after') {
      request.socket.destroy();
      return;
    }
    const body = given.body === undefined ? undefined : JSON.stringify(given.body);
    const type = body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' };
    response.writeHead(given.status, { ...type, ...given.headers }).end(body);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outgoing = createOutgoing({ environment: 'development' });
  return {
    url,
    outgoing,
    calls,
    trouble: (kind) => {
      trouble = kind;
    },
    async dispose() {
      await outgoing.close();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      assert.deepEqual(differences, [], 'requests as the network describes them');
    },
  };
}

/** Fails where an object has a member that the description does not name. */
export function onlyKnown(given: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  assert.deepEqual(unknown, [], 'parameters that the description does not name');
}

/** The type of an image by its first bytes. */
export function imageType(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'image/jpeg';
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return 'image/png';
  return 'unknown';
}
