// LISTEN on a separate connection, for all channels of one driver. Reconnects automatically after a lost connection. Made by the
// Postgres driver with its first listener. Never uses the pool.
import { type PostgresQuery, type PostgresResponse, plainQuery } from './postgres-statements.ts';

/** The part of a pg client that listening needs. */
export interface PostgresListenClient {
  connect(): Promise<unknown>;
  query(query: PostgresQuery): Promise<PostgresResponse>;
  on(event: 'notification', listener: (message: { channel: string; payload?: string | undefined }) => void): unknown;
  on(event: 'error' | 'end', listener: () => void): unknown;
  end(): Promise<unknown>;
}

type OnPayload = (payload: string) => void;

const maxPauseMs = 5000;
/** The time limit of a response. A pooler accepts a connection before it has a connection to Postgres. */
const answerMs = 10_000;

/** Keeps one listening connection open as long as it has listeners. */
export class PostgresListener {
  readonly #createClient: () => PostgresListenClient;
  readonly #channels = new Map<string, Set<OnPayload>>();
  #client: PostgresListenClient | undefined;
  #work: Promise<unknown> = Promise.resolve();
  #pauseMs = 100;
  #retry: NodeJS.Timeout | undefined;

  constructor(createClient: () => PostgresListenClient) {
    this.#createClient = createClient;
  }

  /** Resolves when the server listens. @throws the error if connecting fails; the listener is then removed again */
  async listen(channel: string, onPayload: OnPayload): Promise<() => Promise<void>> {
    const listeners = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, listeners.add(onPayload));
    try {
      await this.#inTurn(() => this.#ensureListening(channel));
    } catch (error) {
      await this.#stop(channel, onPayload);
      throw error;
    }
    return () => this.#stop(channel, onPayload);
  }

  /** Ends the connection and removes every listener. */
  async close(): Promise<void> {
    this.#channels.clear();
    clearTimeout(this.#retry);
    await this.#inTurn(() => this.#disconnect());
  }

  async #stop(channel: string, onPayload: OnPayload): Promise<void> {
    const listeners = this.#channels.get(channel);
    listeners?.delete(onPayload);
    if (listeners === undefined || listeners.size > 0) return;
    this.#channels.delete(channel);
    await this.#inTurn(async () => {
      if (this.#channels.size === 0) return this.#disconnect();
      if (!this.#channels.has(channel)) await this.#client?.query(plainQuery(`UNLISTEN ${quote(channel)}`));
    });
  }

  /** Runs a change after the previous one, so that connecting, listening and ending never overlap. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#work.then(run, run);
    this.#work = result.catch(() => undefined);
    return result;
  }

  async #ensureListening(channel: string): Promise<void> {
    if (this.#client === undefined) await this.#connect();
    else await this.#client.query(plainQuery(`LISTEN ${quote(channel)}`, answerMs));
  }

  async #connect(): Promise<void> {
    const client = this.#createClient();
    const lost = (): void => {
      if (this.#client === client) this.#reconnect();
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ channel, payload }) => this.#tell(channel, payload ?? ''));
    try {
      await client.connect();
      for (const channel of this.#channels.keys()) await client.query(plainQuery(`LISTEN ${quote(channel)}`, answerMs));
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
  }

  /** Notifications during the outage are lost, so every listener is called with an empty payload. */
  #reconnect(): void {
    this.#client = undefined;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      void this.#inTurn(async () => {
        if (this.#client !== undefined || this.#channels.size === 0) return;
        try {
          await this.#connect();
          this.#pauseMs = 100;
          for (const channel of this.#channels.keys()) this.#tell(channel, '');
        } catch {
          this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs);
          this.#reconnect();
        }
      });
    }, this.#pauseMs);
    this.#retry.unref();
  }

  async #disconnect(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  #tell(channel: string, payload: string): void {
    for (const onPayload of this.#channels.get(channel) ?? []) onPayload(payload);
  }
}

function quote(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`;
}
