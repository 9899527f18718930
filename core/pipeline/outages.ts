// Groups failures that occur with every request while something is down or full. The first failure is logged, the others are
// counted: a line for each would hide all other lines and fill the disk. Called by refusals.ts and limit-store.ts.

interface Outage {
  readonly since: number;
  failedAt: number;
  failures: number;
}

/** An outage that is over. */
export interface EndedOutage<Kind extends string> {
  readonly kind: Kind;
  /** The number of failures, including the first. */
  readonly failures: number;
  readonly seconds: number;
}

/** After this time without a failure, the next failure begins a new outage, whether or not a success ended the first outage. */
const newOutageMs = 60_000;

/** The outages of one service, by their kind. */
export class Outages<Kind extends string> {
  readonly #current = new Map<Kind, Outage>();

  /** Counts a failure. Returns its number in its outage: log number 1. */
  recordFailure(kind: Kind): number {
    const now = performance.now();
    const outage = this.#current.get(kind);
    if (outage === undefined || now - outage.failedAt > newOutageMs) {
      this.#current.set(kind, { since: now, failedAt: now, failures: 1 });
      return 1;
    }
    outage.failedAt = now;
    outage.failures += 1;
    return outage.failures;
  }

  /**
   * Call after a success that shows that outages may be over. `quietMs` returns the time without a failure after which an outage
   * of this kind is over, or undefined if the success shows nothing about this kind. The first success alone does not end an
   * outage, because some calls may fail while others succeed.
   */
  takeEnded(quietMs: (kind: Kind) => number | undefined): EndedOutage<Kind>[] {
    if (this.#current.size === 0) return [];
    const now = performance.now();
    const endedOutages: EndedOutage<Kind>[] = [];
    for (const [kind, { since, failedAt, failures }] of this.#current) {
      const quiet = quietMs(kind);
      if (quiet === undefined || now - failedAt < quiet) continue;
      this.#current.delete(kind);
      endedOutages.push({ kind, failures, seconds: Math.round((now - since) / 1_000) });
    }
    return endedOutages;
  }
}

/** One value for each service, made at its first use. */
export function perService<Value>(make: () => Value): (service: object) => Value {
  const values = new WeakMap<object, Value>();
  return (service) => {
    const existing = values.get(service);
    if (existing !== undefined) return existing;
    const created = make();
    values.set(service, created);
    return created;
  };
}
