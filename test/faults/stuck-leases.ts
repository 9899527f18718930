// Watches the queue from outside while workers start and die: a live worker must reclaim a job with an expired lease
// within a time that is generous even for a busy machine. Called by the killing test.
import type { StorageAdapter, StorageDriver } from '../../core/contract/ports/storage.ts';

const pollMs = 250;

/** Polls every quarter of a second. */
export class StuckLeases {
  readonly #allowedMs: number;
  readonly #driver: StorageDriver;
  readonly #stuck = new Set<string>();
  #aliveSince: number | undefined;
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #maxMs = 0;

  private constructor(driver: StorageDriver, allowedMs: number) {
    this.#driver = driver;
    this.#allowedMs = allowedMs;
    this.#schedule();
  }

  static async watch(storage: StorageAdapter, allowedMs: number): Promise<StuckLeases> {
    return new StuckLeases(await storage.open(), allowedMs);
  }

  /** Call when a worker is alive. */
  alive(): void {
    this.#aliveSince = Date.now();
  }

  /** Call when no worker is alive. */
  dead(): void {
    this.#aliveSince = undefined;
  }

  /** Ends the watch. Returns the stuck jobs, and the longest time in milliseconds that an expired lease was left. */
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
      if (leftMs > this.#allowedMs) this.#stuck.add(String(id));
    }
  }
}
