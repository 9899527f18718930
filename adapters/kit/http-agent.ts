// The connections of an adapter that calls one vendor's API and streams: undici's Agent, which accepts interim responses (1xx)
// like core/outgoing. Called by assets/s3-calls.ts and queue/sqs-calls.ts. undici is loaded at the first request, so that cold
// starts stay short.
import type { Agent, buildConnector, Client } from 'undici';
import { skipInterimResponses } from '../../core/outgoing/interim-responses.ts';

/** undici's options of the same names. */
export interface HttpAgentLimits {
  readonly connectTimeoutMs: number;
  /** (Default: undici's, 5 minutes) */
  readonly headersTimeout?: number;
  readonly bodyTimeout?: number;
}

type Connector = buildConnector.connector;

export async function openHttpAgent({ connectTimeoutMs, ...limits }: HttpAgentLimits): Promise<Agent> {
  const { Agent, Client, Pool, buildConnector } = await import('undici/index.js');
  const connect = buildConnector({ timeout: connectTimeoutMs });

  /** A connection of the pool. The pool sends one request at a time over it. */
  function openClient(origin: URL, options: object): Client {
    let begin = (): void => undefined;
    const filtered: Connector = (target, connected) =>
      connect(target, (...result) => {
        const [, socket] = result;
        if (socket !== null) begin = skipInterimResponses(socket);
        connected(...result);
      });
    const client = new Client(origin, { ...options, pipelining: 1, connect: filtered });
    const dispatch = client.dispatch.bind(client);
    client.dispatch = (request, handler) => {
      begin();
      return dispatch(request, handler);
    };
    return client;
  }

  return new Agent({
    ...limits,
    factory: (origin, options) => new Pool(origin, { ...options, factory: openClient }),
  });
}
