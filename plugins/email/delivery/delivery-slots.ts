// Limits how many messages are in flight to the server of one connector. A stalled server must not take the slots that messages for
// other servers need. Called by the delivery job. Kept in memory, per process.

/** The number of connections that an SMTP connector keeps. Further messages would wait inside the adapter. */
const max = 5;
/** If a server frees no slot for this long, in milliseconds, it has stalled. From then on, no send waits for it. */
const patienceMs = 2_000;

/** Releases the slot. `serverResponded`: whether the server responded. */
export type ReleaseSlot = (serverResponded: boolean) => void;

interface ServerSlots {
  taken: number;
  stalled: boolean;
  readonly waiting: Set<(release: ReleaseSlot | undefined) => void>;
}

/** The slots of all connectors in use. */
export class DeliverySlots {
  readonly #servers = new Map<string, ServerSlots>();

  /** Takes a slot, at once or soon. Undefined if the server has stalled and has no free slot. */
  async takeSlot(key: string): Promise<ReleaseSlot | undefined> {
    const server = this.#servers.get(key) ?? { taken: 0, stalled: false, waiting: new Set() };
    this.#servers.set(key, server);
    if (server.taken < max) return this.#take(key, server);
    return server.stalled ? undefined : this.#wait(server);
  }

  #take(key: string, server: ServerSlots): ReleaseSlot {
    server.taken += 1;
    const release: ReleaseSlot = (serverResponded) => {
      server.taken -= 1;
      server.stalled &&= !serverResponded;
      const [next] = server.waiting;
      if (next !== undefined) next(this.#take(key, server));
      else if (server.taken === 0 && !server.stalled) this.#servers.delete(key);
    };
    return release;
  }

  #wait(server: ServerSlots): Promise<ReleaseSlot | undefined> {
    return new Promise((resolve) => {
      const waiter = (release: ReleaseSlot | undefined): void => {
        clearTimeout(timer);
        server.waiting.delete(waiter);
        resolve(release);
      };
      const timer = setTimeout(() => {
        server.stalled = true;
        for (const other of server.waiting) other(undefined);
      }, patienceMs);
      server.waiting.add(waiter);
    });
  }
}
