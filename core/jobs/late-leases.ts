// Leases that end later than a lease can last: a clock was set back after they were written, and by the clock alone they
// would keep the jobs of a dead process for as long as the clock went back. Called by the tick. A holder that lives
// renews its lease at a third of its length, so a row that stays the same for a whole length, measured on a clock that
// nobody sets, has no holder. Never ends a lease at its first sight: its holder may not have renewed it yet.
import type { Database } from '../storage/database.ts';
import { maxListLength } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import { endLease, lateLeases } from './queue.ts';

const everywhere = unscoped('the queue serves every workspace');

/** What a process knows of such leases. */
export class LateLeases {
  readonly #leaseMs: number;
  /** When a row was first seen as it is: by job, token and end. */
  #seen = new Map<string, number>();

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** Ends those that have not changed for the length of a lease. Answers how many. */
  async end(database: Database, now: number): Promise<number> {
    // Twice the length: the clocks of two machines may differ by one.
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
        ended += await database.transact((scope) =>
          scope.handle(everywhere).run(endLease, { id, token, until: Number(until), ended: now - 1 }),
        );
    }
    this.#seen = seen;
    return ended;
  }
}
