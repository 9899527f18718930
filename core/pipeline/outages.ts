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
  /** How many failures it had, the first included. */
  readonly failures: number;
  readonly seconds: number;
}

/** After this time without a failure, the next failure begins a new outage, whether or not a success ended the first outage. */
const forgottenMs = 60_000;

/** The outages of one service, by their kind. */
export class Outages<Kind extends string> {
  readonly #current = new Map<Kind, Outage>();

  /** Counts a failure. Returns its number in its outage: log number 1. */
  failed(kind: Kind): number {
    const now = performance.now();
    const outage = this.#current.get(kind);
    if (outage === undefined || now - outage.failedAt > forgottenMs) {
      this.#current.set(kind, { since: now, failedAt: now, failures: 1 });
      return 1;
    }
    outage.failedAt = now;
    outage.failures += 1;
    return outage.failures;
  }

  /**
   * Call after a success that shows that outages may be over. `quietMs` returns how long after its last failure an outage of
   * this kind is over: if some calls fail and others succeed, the first success is not the end. It returns undefined if the
   * success shows nothing about this kind.
   */
  ended(quietMs: (kind: Kind) => number | undefined): EndedOutage<Kind>[] {
    if (this.#current.size === 0) return [];
    const now = performance.now();
    const over: EndedOutage<Kind>[] = [];
    for (const [kind, { since, failedAt, failures }] of this.#current) {
      const quiet = quietMs(kind);
      if (quiet === undefined || now - failedAt < quiet) continue;
      this.#current.delete(kind);
      over.push({ kind, failures, seconds: Math.round((now - since) / 1_000) });
    }
    return over;
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
