// Limits how many messages are in flight to the server of one connector. A stalled server must not take the slots that messages for
// other servers need. Called by the delivery job. Kept in memory, per process.
import type { Lane } from '../../../core/index.ts';

/** The number of connections that an SMTP connector keeps. Further messages would wait inside the adapter. */
const maxSlots = 5;
/** The slots for mail of higher lanes: one more, so that this mail gets the next free connection before waiting bulk mail. */
const maxHigherSlots = maxSlots + 1;
/** The time in milliseconds after which a server that frees no slot counts as stalled. From then on, no send waits for it. */
const stallTimeoutMs = 2_000;

/** Releases the slot. `serverResponded`: whether the server responded. */
export type ReleaseSlot = (serverResponded: boolean) => void;

interface ServerSlots {
  taken: number;
  stalled: boolean;
  /** The waiting messages, each with its lane. */
  readonly waiting: Map<(release: ReleaseSlot | undefined) => void, Lane>;
}

/** The number of slots below which a message may take one. */
const slotsOf = (lane: Lane): number => (lane === 'bulk' ? maxSlots : maxHigherSlots);

/** The slots of all connectors in use. */
export class DeliverySlots {
  readonly #servers = new Map<string, ServerSlots>();

  /** Takes a slot, at once or soon. Undefined if the server has stalled and has no free slot. */
  async takeSlot(key: string, lane: Lane): Promise<ReleaseSlot | undefined> {
    const server = this.#servers.get(key) ?? { taken: 0, stalled: false, waiting: new Map() };
    this.#servers.set(key, server);
    if (server.taken < slotsOf(lane)) return this.#take(key, server);
    return server.stalled ? undefined : this.#wait(server, lane);
  }

  #take(key: string, server: ServerSlots): ReleaseSlot {
    server.taken += 1;
    const release: ReleaseSlot = (serverResponded) => {
      server.taken -= 1;
      server.stalled &&= !serverResponded;
      const mayBegin = [...server.waiting].filter(([, lane]) => server.taken < slotsOf(lane));
      const next = mayBegin.find(([, lane]) => lane === 'urgent') ?? mayBegin[0];
      if (next !== undefined) next[0](this.#take(key, server));
      else if (server.taken === 0 && !server.stalled) this.#servers.delete(key);
    };
    return release;
  }

  #wait(server: ServerSlots, lane: Lane): Promise<ReleaseSlot | undefined> {
    return new Promise((resolve) => {
      const waiter = (release: ReleaseSlot | undefined): void => {
        clearTimeout(timer);
        server.waiting.delete(waiter);
        resolve(release);
      };
      const timer = setTimeout(() => {
        server.stalled = true;
        for (const other of server.waiting.keys()) other(undefined);
      }, stallTimeoutMs);
      server.waiting.set(waiter, lane);
    });
  }
}
