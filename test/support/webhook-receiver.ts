// A receiver of webhooks for tests: a real HTTP server that stores the posted requests and gives scripted answers.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One received request. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer to a request: a status, or the test's own function that handles the response. */
export type ScriptedResponse = number | ((response: ServerResponse, received: ReceivedRequest, count: number) => void);

/** A receiver. Close it with `close`. */
export class WebhookReceiver {
  readonly received: ReceivedRequest[] = [];
  /** The current number of open requests, and the highest number at one time. */
  open = 0;
  max = 0;
  answer: ScriptedResponse = 200;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  static async start(answer: ScriptedResponse = 200): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.answer = answer;
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open += 1;
    this.max = Math.max(this.max, this.open);
    response.once('close', () => {
      this.open -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    const receivedRequest = { path: request.url ?? '', headers, body: Buffer.concat(chunks).toString('utf8') };
    this.received.push(receivedRequest);
    if (typeof this.answer === 'number') {
      response.statusCode = this.answer;
      response.end();
    } else this.answer(response, receivedRequest, this.received.length);
  }
}

/** A scripted response that waits for `answer()`, and then returns 500 with the body of the request. `arrived`: a request has arrived. */
export function delayedResponse() {
  let [ask, answer] = [() => {}, () => {}];
  const requestArrived = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const answerAllowed = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const respond: Extract<ScriptedResponse, (...args: never) => unknown> = async (response, { body }) => {
    ask();
    await answerAllowed;
    response.statusCode = 500;
    response.end(body);
  };
  return { arrived: requestArrived, answer: () => answer(), respond };
}
