// Ends leases whose end lies further ahead than a lease lasts. They were written before the clock was set back, and
// would keep the jobs of a dead process until the clock catches up. Called by the tick. A live process renews its
// leases after a third of their length; so a row that stays unchanged for a whole length, by the monotonic clock,
// belongs to a dead one. A lease is ended when it is seen for the second time at the earliest: before that, its holder
// may not have renewed it yet.
import type { Database } from '../storage/database.ts';
import { maxListLength } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import { endLease, lateLeases } from './queue.ts';
import { queueTransaction } from './queue-transaction.ts';

const everywhere = unscoped('the queue serves every workspace');

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
    const rows = await database.read(everywhere, (handle) => handle.all(lateLeases, { latest, limit: maxListLength }));
    const seen = new Map<string, number>();
    const at = performance.now();
    let ended = 0;
    for (const { id, lease_token: token, lease_until: until } of rows) {
      if (token === null || until === null) continue;
      const row = `${id} ${token} ${until}`;
      const since = this.#seen.get(row) ?? at;
      if (at - since < this.#leaseMs) seen.set(row, since);
      else
        ended += await queueTransaction(database, (scope) =>
          scope.handle(everywhere).run(endLease, { id, token, until: Number(until), ended: now - 1 }),
        );
    }
    this.#seen = seen;
    return ended;
  }
}
