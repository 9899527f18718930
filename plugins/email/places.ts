// How many messages may be on their way to the server of one connector at a time: a server that has stalled must not take the
// slots that other servers' messages need. Called by the delivery job; kept in memory, for each process.

/** As many as an SMTP connector keeps connections: more would wait inside the adapter. */
const max = 5;
/** A server that frees no place for so long, in milliseconds, has stalled: from then on no send waits for it. */
const patienceMs = 2_000;

/** Gives the place back. `well`: the server answered. */
export type Leave = (well: boolean) => void;

interface Way {
  taken: number;
  stalled: boolean;
  readonly waiting: Set<(leave: Leave | undefined) => void>;
}

/** The places of all connectors that are in use. */
export class Places {
  readonly #ways = new Map<string, Way>();

  /** A place, at once or soon; undefined where the server has stalled and its places are taken. */
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
