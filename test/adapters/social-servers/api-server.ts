// A strict API for tests of networks, on the local server of network-server.ts: requests are read whole, with their forms and files,
// and one that differs from the published description fails the test at its end.
import assert from 'node:assert/strict';
import type { SocialSuiteSubject } from '../../../plugins/social/testing/index.ts';
import type { ServedAnswer, ServedNetwork, ServedRequest } from './network-server.ts';
import { serveNetwork } from './network-server.ts';

/** A file of a form. */
export interface SentFile {
  readonly field: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** A request, read whole. */
export interface ApiCall extends Omit<ServedRequest, 'query'> {
  readonly query: Readonly<Record<string, string>>;
  /** The fields of a form, URL-encoded or multipart. */
  readonly form: Readonly<Record<string, string>>;
  readonly files: readonly SentFile[];
  readonly json: Readonly<Record<string, unknown>>;
}

export type ApiAnswer = ServedAnswer;

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
  /** Refusals in the network's words. */
  readonly refusals: Pick<ServedNetwork, 'rejected' | 'limited' | 'disconnected'>;
}

export interface RunningApi extends Required<Pick<SocialSuiteSubject, 'outgoing' | 'trouble'>> {
  readonly url: string;
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

function callOf(request: ServedRequest): ApiCall {
  const { headers, body, query } = request;
  const type = headers['content-type'] ?? '';
  const boundary = type.match(/^multipart\/form-data; boundary=(\S+)$/)?.[1];
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const { form, files } =
    boundary === undefined
      ? { form: isForm ? Object.fromEntries(new URLSearchParams(body.toString())) : {}, files: [] }
      : readMultipart(body, boundary);
  const json: unknown = type.startsWith('application/json') && body.length > 0 ? JSON.parse(body.toString()) : {};
  return { ...request, query: Object.fromEntries(query), form, files, json: json as ApiCall['json'] };
}

/** Starts it on a free port. */
export async function startApi(api: NetworkApi): Promise<RunningApi> {
  const server = await serveNetwork((url) => ({
    ...api.refusals,
    isVisible: (request) => api.isVisible(callOf(request)),
    isQuestion: (request) => api.isQuestion(callOf(request)),
    async handle(request) {
      try {
        return await api.answer(callOf(request), url);
      } catch (error) {
        if (error instanceof ApiRefusal) return error.answer;
        throw error;
      }
    },
  }));
  return {
    url: server.url,
    outgoing: server.outgoing,
    trouble: server.trouble,
    async dispose() {
      await server.dispose();
      server.checkFaults();
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
