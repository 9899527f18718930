// Hands out a few workers (threads, processes) in the order of requests. Each key gets one worker at a time, so that a
// key with expensive work cannot delay all others.

/** The limits of the queue of waiting requests. */
export interface TurnRules {
  /** The largest number of waiting requests in total, and (`maxWaitingOfKey`) of one key. */
  readonly maxWaiting: number;
  readonly maxWaitingOfKey: number;
  /** The error of a request if the queue is full, and of all waiting requests when the queue is stopped. */
  readonly busy: () => Error;
}

interface WaitingRequest<Worker> {
  readonly key: string;
  readonly take: (worker: Worker) => void;
  readonly refuse: (error: Error) => void;
}

export class Turns<Worker> {
  readonly #free: Worker[];
  readonly #rules: TurnRules;
  readonly #working = new Set<string>();
  #waiting: WaitingRequest<Worker>[] = [];

  constructor(workers: readonly Worker[], rules: TurnRules) {
    this.#free = [...workers];
    this.#rules = rules;
  }

  /**
   * Runs `work` with a worker, once it is the turn of this key. Keys are, for example, ids of workspaces. No other work
   * uses the worker meanwhile.
   * @throws `busy` if too many requests wait already; the signal's reason if it is aborted before the turn
   */
  async use<T>(key: string, signal: AbortSignal | undefined, work: (worker: Worker) => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const worker = await this.#take(key, signal);
    try {
      return await work(worker);
    } finally {
      this.#working.delete(key);
      // This worker is used again before the others: it is started and warm, and idle workers may end.
      this.#free.unshift(worker);
      this.#next();
    }
  }

  /** Refuses all waiting requests. */
  refuseAll(): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse(this.#rules.busy());
  }

  #take(key: string, signal: AbortSignal | undefined): Promise<Worker> {
    const { maxWaiting, maxWaitingOfKey, busy } = this.#rules;
    const waitingOfKey = this.#waiting.filter((waiting) => waiting.key === key).length;
    if (this.#waiting.length >= maxWaiting || waitingOfKey >= maxWaitingOfKey) throw busy();
    return new Promise((take, refuse) => {
      const leave = (): void => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== entry);
        refuse(signal?.reason);
      };
      const settled = () => signal?.removeEventListener('abort', leave);
      const entry: WaitingRequest<Worker> = {
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
      this.#waiting.push(entry);
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
