// Hands out a few workers (threads, processes) in the order of asking; who asks has one at a time, so that one with expensive work
// cannot hold up all others.

/** Who may wait, and for how long a line. */
export interface TurnRules {
  /** All that wait, and those of one key. */
  readonly maxWaiting: number;
  readonly maxWaitingOfKey: number;
  /** The refusal where the line is full, and of those that wait when it is stopped. */
  readonly busy: () => Error;
}

interface Waiting<Worker> {
  readonly key: string;
  readonly take: (worker: Worker) => void;
  readonly refuse: (error: Error) => void;
}

export class Turns<Worker> {
  readonly #free: Worker[];
  readonly #rules: TurnRules;
  readonly #working = new Set<string>();
  #waiting: Waiting<Worker>[] = [];

  constructor(workers: readonly Worker[], rules: TurnRules) {
    this.#free = [...workers];
    this.#rules = rules;
  }

  /**
   * Runs `work` with a worker of its own, once it is the turn of this key, such as a workspace.
   * @throws `busy` where too many wait already; the signal's reason where it is aborted before the turn
   */
  async use<T>(key: string, signal: AbortSignal | undefined, work: (worker: Worker) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const worker = await this.#take(key, signal);
    try {
      return await work(worker);
    } finally {
      this.#working.delete(key);
      // Used again before the others: it is started and warm, and they may end for being idle.
      this.#free.unshift(worker);
      this.#next();
    }
  }

  /** Refuses all that wait. */
  refuseAll(): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse(this.#rules.busy());
  }

  #take(key: string, signal: AbortSignal | undefined): Promise<Worker> {
    const { maxWaiting, maxWaitingOfKey, busy } = this.#rules;
    const own = this.#waiting.filter((waiting) => waiting.key === key).length;
    if (this.#waiting.length >= maxWaiting || own >= maxWaitingOfKey) throw busy();
    return new Promise((take, refuse) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== mine);
        refuse(signal?.reason);
      };
      const settled = () => signal?.removeEventListener('abort', leave);
      const mine: Waiting<Worker> = {
        key,
        take(worker) {
          settled();
          take(worker);
        },
        refuse(error) {
          settled();
          refuse(error);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(mine);
      this.#next();
    });
  }

  #next(): void {
    const next = this.#waiting.find(({ key }) => !this.#working.has(key));
    const worker = next === undefined ? undefined : this.#free.shift();
    if (next === undefined || worker === undefined) return;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
    this.#working.add(next.key);
    next.take(worker);
  }
}
