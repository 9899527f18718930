// One POST to the endpoint. Plain node:http, since a call may take longer than fetch waits for headers, and since a
// redirect must never carry the key to another host. Called by bridge.ts.
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** The answer to a POST. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A pool of connections to one endpoint. */
export interface Poster {
  /** @throws AnswerTooLong, or the error of the connection or the reason of `signal` */
  post(headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<Reply>;
  /** Closes idle connections, so that the process can end. */
  close(): void;
}

/** Shorter than servers keep an idle connection open, so that no connection is used that is about to be closed. */
const idleMs = 4_000;
const maxConnections = 32;

/** The limit of an answer. */
const maxAnswerBytes = 64 * 1_048_576;

/** An answer that is longer than the limit. */
export class AnswerTooLong extends Error {
  constructor() {
    super(`The answer is longer than ${maxAnswerBytes} bytes.`);
  }
}

/** Makes a pool. It connects with the first message. */
export function createPoster(endpoint: URL): Poster {
  const options = { keepAlive: true, maxSockets: maxConnections, timeout: idleMs };
  const secure = endpoint.protocol === 'https:';
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options);
  const send = secure ? httpsRequest : httpRequest;
  return {
    post: (headers, body, signal) =>
      new Promise((resolve, reject) => {
        const bytes = Buffer.from(body, 'utf8');
        const request = send(
          endpoint,
          { method: 'POST', agent, signal, headers: { ...headers, 'Content-Length': String(bytes.length) } },
          (response) => {
            const chunks: Buffer[] = [];
            let length = 0;
            response.on('data', (chunk: Buffer) => {
              length += chunk.length;
              if (length <= maxAnswerBytes) chunks.push(chunk);
              else response.destroy(new AnswerTooLong());
            });
            response.on('error', reject);
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                body: Buffer.concat(chunks).toString('utf8'),
              }),
            );
          },
        );
        request.on('error', reject);
        request.end(bytes);
      }),
    close: () => agent.destroy(),
  };
}
