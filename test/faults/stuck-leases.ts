// Watches the queue from outside while workers live and die: a lease that ran out is to be taken back within its own
// length again, once somebody is there to do it. Called by the killing test.
import type { StorageAdapter, StorageDriver } from '../../core/contract/ports/storage.ts';

const pollMs = 250;

/** Looks every quarter of a second. */
export class StuckLeases {
  readonly #leaseMs: number;
  readonly #driver: StorageDriver;
  readonly #stuck = new Set<string>();
  #aliveSince: number | undefined;
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #maxMs = 0;

  private constructor(driver: StorageDriver, leaseMs: number) {
    this.#driver = driver;
    this.#leaseMs = leaseMs;
    this.#schedule();
  }

  static async watch(storage: StorageAdapter, leaseMs: number): Promise<StuckLeases> {
    return new StuckLeases(await storage.open(), leaseMs);
  }

  /** Somebody is there from now on. */
  alive(): void {
    this.#aliveSince = Date.now();
  }

  /** Nobody is there. */
  dead(): void {
    this.#aliveSince = undefined;
  }

  /** Ends the watch: the jobs that were stuck, and for how long a lease that had run out was left at most. */
  async stop(): Promise<{ readonly jobs: readonly string[]; readonly maxMs: number }> {
    clearTimeout(this.#timer);
    await this.#looking;
    clearTimeout(this.#timer);
    await this.#driver.close();
    return { jobs: [...this.#stuck], maxMs: this.#maxMs };
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then(() => this.#schedule());
    }, pollMs);
  }

  async #look(): Promise<void> {
    const sql = "select id, lease_until from postrider_jobs where state = 'running'";
    const now = Date.now();
    const { rows } = await this.#driver.read((connection) => connection.query({ sql, parameters: [] }));
    if (this.#aliveSince === undefined) return;
    for (const { id, lease_until: until } of rows) {
      const leftMs = now - Math.max(Number(until), this.#aliveSince);
      this.#maxMs = Math.max(this.#maxMs, leftMs);
      if (leftMs > this.#leaseMs) this.#stuck.add(String(id));
    }
  }
}
