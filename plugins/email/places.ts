// Limits how many messages are in flight to the server of one connector. A stalled server must not take the slots that messages for
// other servers need. Called by the delivery job. Kept in memory, per process.

/** The number of connections that an SMTP connector keeps. Further messages would wait inside the adapter. */
const max = 5;
/** If a server frees no slot for this long, in milliseconds, it has stalled. From then on, no send waits for it. */
const patienceMs = 2_000;

/** Releases the slot. `well`: whether the server responded. */
export type Leave = (well: boolean) => void;

interface Way {
  taken: number;
  stalled: boolean;
  readonly waiting: Set<(leave: Leave | undefined) => void>;
}

/** The slots of all connectors in use. */
export class Places {
  readonly #ways = new Map<string, Way>();

  /** Takes a slot, at once or soon. Undefined if the server has stalled and has no free slot. */
  async enter(key: string): Promise<Leave | undefined> {
    const way = this.#ways.get(key) ?? { taken: 0, stalled: false, waiting: new Set() };
    this.#ways.set(key, way);
    if (way.taken < max) return this.#take(key, way);
    return way.stalled ? undefined : this.#wait(way);
  }

  #take(key: string, way: Way): Leave {
    way.taken += 1;
    const leave: Leave = (well) => {
      way.taken -= 1;
      way.stalled &&= !well;
      const [next] = way.waiting;
      if (next !== undefined) next(this.#take(key, way));
      else if (way.taken === 0 && !way.stalled) this.#ways.delete(key);
    };
    return leave;
  }

  #wait(way: Way): Promise<Leave | undefined> {
    return new Promise((resolve) => {
      const end = (leave: Leave | undefined): void => {
        clearTimeout(timer);
        way.waiting.delete(end);
        resolve(leave);
      };
      const timer = setTimeout(() => {
        way.stalled = true;
        for (const waiter of way.waiting) waiter(undefined);
      }, patienceMs);
      way.waiting.add(end);
    });
  }
}
