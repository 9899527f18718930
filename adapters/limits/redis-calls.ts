// Calls on a Redis connection with a deadline. They never wait in the client's offline queue. While Redis does not
// respond, they fail at once, but one call each second tries again. Called by redis.ts; knows no SDK.

/** The part of a client that is used. */
export interface RedisConnection {
  /** `ready`, `wait`, `connecting`, `connect`, or another value if there is no connection. */
  readonly status: string;
  connect(): Promise<unknown>;
  evalsha(hash: string, keys: number, ...values: string[]): Promise<unknown>;
  ping(): Promise<unknown>;
  eval(script: string, keys: number, ...values: string[]): Promise<unknown>;
  once(event: string, listener: () => void): unknown;
  removeListener(event: string, listener: () => void): unknown;
  disconnect?(): void;
}

/** The interval at which a call tries a Redis that did not respond to an earlier call in time, in milliseconds. */
const retryIntervalMs = 1_000;

/** An error of this store. It contains no error of the SDK, because those contain commands, such as AUTH. */
export function unavailable(why: string): Error {
  return Object.assign(new Error(`Redis, which keeps the rate limits, cannot decide: ${why}.`), {
    name: 'LimitStoreError',
  });
}

function faultOf(error: unknown): Error {
  if (!(error instanceof Error)) return unavailable(String(error));
  if (error.name === 'LimitStoreError') return error;
  return unavailable(error.message.replaceAll(/(rediss?):\/\/\S*/g, '$1://…').slice(0, 300));
}

/** Rejects as soon as the connection attempt fails. */
function becomeReady(client: RedisConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => (): void => {
      client.removeListener('ready', ready);
      client.removeListener('close', failed);
      client.removeListener('end', failed);
      end();
    };
    const ready = settle(resolve);
    const failed = settle(() => reject(unavailable('it cannot be reached')));
    client.once('ready', ready);
    client.once('close', failed);
    client.once('end', failed);
    // A failure closes the connection, which the listener above handles.
    if (client.status === 'wait') client.connect().catch(() => undefined);
  });
}

/** Limits the calls on one connection. The first call creates it with `open`. */
export function createCalls(open: () => RedisConnection, timeoutMs: number) {
  let client: RedisConnection | undefined;
  let connecting: Promise<void> | undefined;
  let nextTryAt: number | undefined;

  function readiness(connection: RedisConnection): Promise<void> | undefined {
    if (connection.status === 'ready') return undefined;
    if (connecting === undefined) {
      if (!['wait', 'connecting', 'connect'].includes(connection.status)) throw unavailable('it cannot be reached');
      connecting = becomeReady(connection).finally(() => {
        connecting = undefined;
      });
    }
    return connecting;
  }

  function withTimeout<T>(answer: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        // A stalled event loop runs its timers before it reads a response that has already arrived, so the timeout
        // waits for one more read.
        setImmediate(() => {
          nextTryAt = performance.now() + retryIntervalMs;
          reject(unavailable(`no answer within ${timeoutMs} ms`));
        });
      }, timeoutMs);
      answer.then(
        (value) => {
          clearTimeout(timer);
          nextTryAt = undefined;
          resolve(value);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(faultOf(error));
        },
      );
    });
  }

  return {
    /** The connection, once a call has made it. */
    opened: (): RedisConnection | undefined => client,

    /** Runs `send` on the connection. @throws LimitStoreError, at the latest after the timeout */
    async run<T>(send: (connection: RedisConnection) => Promise<T>): Promise<T> {
      if (nextTryAt !== undefined) {
        if (performance.now() < nextTryAt) throw unavailable('it has left a call unanswered');
        nextTryAt = performance.now() + retryIntervalMs;
      }
      client ??= open();
      const connection = client;
      const ready = readiness(connection);
      return withTimeout(ready === undefined ? send(connection) : ready.then(() => send(connection)));
    },
  };
}
