// Sends one POST to the endpoint. Uses node:http, because a call may take longer than fetch waits for headers, and because a
// redirect must never send the key to another host. Called by bridge.ts.
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** The response to a POST. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A pool of connections to one endpoint. */
export interface Poster {
  /** @throws ResponseTooLong, or the error of the connection, or the reason of `signal` */
  post(headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<Reply>;
  /** Closes idle connections, so that the process can end. */
  close(): void;
}

/**
 * How long a connection stays open without use. Shorter than servers allow, so that no connection is used just before the server
 * closes it.
 */
const idleMs = 4_000;
const maxConnections = 32;

/** The maximum size of a response. */
const maxAnswerBytes = 64 * 1_048_576;

/** Thrown if a response is longer than the limit. */
export class ResponseTooLong extends Error {
  constructor() {
    super(`The answer is longer than ${maxAnswerBytes} bytes.`);
  }
}

/** Makes a pool. It connects at the first message. */
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
              else response.destroy(new ResponseTooLong());
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
