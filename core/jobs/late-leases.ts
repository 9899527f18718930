// Ends leases that would expire later than a lease lasts from now. They were written before the clock was set back, and would
// keep the jobs of a dead process until the clock catches up. Called by the tick. A live process renews its leases after a third
// of their length. So a row that stays unchanged for the whole length of a lease, by the monotonic clock, belongs to a dead
// process. A lease is ended only if it was seen at least twice: when it is first seen, its holder may not have renewed it yet.
import type { Database } from '../storage/database.ts';
import { maxListLength } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import { endLease, lateLeases } from './queue.ts';
import { queueTransaction } from './queue-transaction.ts';

const unscopedReason = unscoped('the queue serves every workspace');

/** The late leases that a process has seen. */
export class LateLeases {
  readonly #leaseMs: number;
  /** The time at which a row was first seen in its current form, by job, token and end of the lease. */
  #seen = new Map<string, number>();

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** Ends the late leases that have not changed for the length of a lease. Returns the number of ended leases. */
  async end(database: Database, now: number): Promise<number> {
    // Twice the length: the clocks of two machines may differ by one length.
    const latest = now + 2 * this.#leaseMs;
    const rows = await database.read(unscopedReason, (handle) =>
      handle.all(lateLeases, { latest, limit: maxListLength }),
    );
    const seen = new Map<string, number>();
    const at = performance.now();
    let endedCount = 0;
    for (const { id, lease_token: token, lease_until: until } of rows) {
      if (token === null || until === null) continue;
      const row = `${id} ${token} ${until}`;
      const since = this.#seen.get(row) ?? at;
      if (at - since < this.#leaseMs) seen.set(row, since);
      else
        endedCount += await queueTransaction(database, (scope) =>
          scope.handle(unscopedReason).run(endLease, { id, token, until: Number(until), ended: now - 1 }),
        );
    }
    this.#seen = seen;
    return endedCount;
  }
}
