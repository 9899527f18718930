// The leases that this process holds. They are renewed together after a third of their length, and ended if they cannot
// be renewed. Called by the worker. The timer exists only while a lease is held.
import type { Core } from '../pipeline/core.ts';
import type { Database } from '../storage/database.ts';
import { inLists } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import type { Lease } from './lease.ts';
import type { OutageLog } from './outage-log.ts';
import { leasedOfListed, renewListed } from './queue.ts';
import { queueTransaction } from './queue-transaction.ts';

/**
 * Groups leases by token, with the tokens in order, so that two transactions lock the same rows in the same order and
 * cannot deadlock.
 */
export function byToken(leases: Iterable<Lease>): [string, Lease[]][] {
  const groups = new Map<string, Lease[]>();
  for (const lease of leases) {
    const group = groups.get(lease.token);
    if (group === undefined) groups.set(lease.token, [lease]);
    else group.push(lease);
  }
  return [...groups].sort(([firstToken], [secondToken]) => (firstToken < secondToken ? -1 : 1));
}

export class Leases {
  readonly #core: Core;
  readonly #database: Database;
  readonly #leaseMs: number;
  readonly #outages: OutageLog;
  readonly #held = new Set<Lease>();
  #timer: NodeJS.Timeout | undefined;

  constructor(core: Core, database: Database, leaseMs: number, outages: OutageLog) {
    this.#core = core;
    this.#database = database;
    this.#leaseMs = leaseMs;
    this.#outages = outages;
  }

  add(lease: Lease): void {
    this.#held.add(lease);
    this.#schedule(this.#leaseMs / 3);
  }

  remove(lease: Lease): void {
    this.#held.delete(lease);
  }

  /** Ends all leases. */
  end(reason: 'stopped'): void {
    for (const lease of this.#held) lease.end(reason);
  }

  /** Stops renewing. The leases then expire. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#held.clear();
  }

  #schedule(afterMs: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.#renewAndGoOn(), afterMs);
  }

  async #renewAndGoOn(): Promise<void> {
    let delayMs = this.#leaseMs / 3;
    try {
      await this.#renew([...this.#held]);
      this.#outages.reportRecovery('renewing leases');
    } catch (error) {
      this.#outages.report('renewing leases', error);
      this.#endOverdue();
      delayMs = this.#leaseMs / 10;
    }
    this.#timer = undefined;
    if (this.#held.size > 0) this.#schedule(delayMs);
  }

  async #renew(leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return;
    const until = this.#core.ports.now() + this.#leaseMs;
    const renewedIds = await queueTransaction(this.#database, async (scope) => {
      const handle = scope.handle(unscoped('the queue serves every workspace'));
      const renewed = new Set<string>();
      for (const [token, group] of byToken(leases)) {
        for (const list of inLists(group)) {
          const ids = list.map(({ jobId }) => jobId);
          const changedCount = await handle.run(...renewListed(ids, { token, until }));
          const heldIds =
            changedCount === ids.length
              ? ids
              : (await handle.all(...leasedOfListed(ids, { token }))).map(({ id }) => id);
          for (const id of heldIds) renewed.add(id);
        }
      }
      return renewed;
    });
    for (const lease of leases) {
      // The new end counts even if it is earlier than the old one, because the clock may have been set back.
      if (renewedIds.has(lease.jobId)) lease.until = until;
      else if (this.#held.has(lease)) lease.end('lost');
    }
  }

  #endOverdue(): void {
    const now = this.#core.ports.now();
    for (const lease of this.#held) if (lease.until <= now) lease.end('lost');
  }
}
