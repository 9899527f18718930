// Tracks the sessions of a pool that need no check before they are used: the adapter's own sessions once they are set, and the
// program's sessions as long as only this adapter has used them since their check. The program may change its sessions at any
// time. Used by the MySQL driver; sends nothing.

/** The events of a mysql2 pool. A connection that passes from one caller directly to a waiting one causes neither event. */
export interface PoolEvents {
  on(event: 'acquire' | 'release', listener: (client: object) => void): unknown;
  removeListener(event: 'acquire' | 'release', listener: (client: object) => void): unknown;
}

/** The sessions of one pool. */
export class KnownSessions {
  readonly #known = new WeakSet<object>();
  readonly #events: PoolEvents | undefined;
  #asking = false;
  #returned: object | undefined;

  /**
   * @param events - the events of the program's pool; undefined for the adapter's own pool, whose sessions only this adapter
   * changes
   */
  constructor(events: PoolEvents | undefined) {
    this.#events = events;
    events?.on('acquire', this.#onTaken);
    events?.on('release', this.#onReturned);
  }

  readonly #onTaken = (client: object): void => {
    if (!this.#asking) this.#known.delete(client);
  };

  readonly #onReturned = (client: object): void => {
    this.#returned = client;
  };

  has(client: object): boolean {
    return this.#known.has(client);
  }

  add(client: object): void {
    this.#known.add(client);
  }

  /** Runs `request`, which asks the pool for a connection. A connection that the pool lends meanwhile belongs to the adapter. */
  withRequest(request: () => void): void {
    this.#asking = true;
    try {
      request();
    } finally {
      this.#asking = false;
    }
  }

  /** Returns a connection to the pool. A connection that is reset, or passed to a waiting caller, is no longer known. */
  returning(client: { release(): void }): void {
    this.#returned = undefined;
    client.release();
    if (this.#events !== undefined && this.#returned !== client) this.#known.delete(client);
    this.#returned = undefined;
  }

  end(): void {
    this.#events?.removeListener('acquire', this.#onTaken);
    this.#events?.removeListener('release', this.#onReturned);
  }
}
