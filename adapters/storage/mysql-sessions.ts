// Which sessions of a pool need no check before they are used: our own once they are set, and the program's as long as only
// this adapter has taken them since their check. The program may change its sessions at any time. Used by the MySQL driver; sends nothing.

/** The events of a mysql2 pool. A connection that goes from one caller to a waiting one is in neither. */
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

  /** @param events - of a pool of the program; undefined for our own pool, whose sessions only this adapter changes */
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

  /** Calls the pool for a connection: what it takes out during the call is ours. */
  asking(ask: () => void): void {
    this.#asking = true;
    try {
      ask();
    } finally {
      this.#asking = false;
    }
  }

  /** Returns a connection to the pool. One that is reset, or handed to a waiting caller, is not known any more. */
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
