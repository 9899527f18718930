// Polls the rows of jobs that the embedding program commits in its own transactions, because that commit is not visible
// to the library. Called through the job signal. The timer exists only while jobs are watched.
import type { Database } from '../storage/database.ts';
import { inLists } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import { visibleListed } from './queue.ts';

/**
 * Polled after 5, 10, 20 … 250 ms, then every 250 ms, for 30 s; the worker's poll finds jobs that are committed later.
 */
const firstPauseMs = 5;
const maxPauseMs = 250;
const watchedMs = 30_000;

interface Watched {
  readonly written: 'urgent' | undefined;
  readonly until: number;
  pauseMs: number;
  next: number;
}

/** Watches for jobs to become visible. */
export class JobWatch {
  readonly #database: () => Promise<Database>;
  readonly #onVisible: (written: 'urgent' | undefined) => void;
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #polling = false;

  /** @param onVisible called with `urgent` if the visible jobs were watched as urgent */
  constructor(database: () => Promise<Database>, onVisible: (written: 'urgent' | undefined) => void) {
    this.#database = database;
    this.#onVisible = onVisible;
  }

  watch(jobIds: readonly string[], written?: 'urgent'): void {
    const now = performance.now();
    for (const id of jobIds) {
      this.#watched.set(id, { written, until: now + watchedMs, pauseMs: firstPauseMs, next: now + firstPauseMs });
    }
    this.#schedule();
  }

  /** Stops watching all jobs. */
  stop(): void {
    this.#watched.clear();
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#watched.size === 0 || this.#polling) return;
    let next = Number.POSITIVE_INFINITY;
    for (const watched of this.#watched.values()) next = Math.min(next, watched.next);
    this.#timer = setTimeout(() => void this.#poll(), Math.max(1, next - performance.now()));
  }

  async #poll(): Promise<void> {
    this.#polling = true;
    const now = performance.now();
    const due = [...this.#watched].filter(([, { next }]) => next <= now);
    const visibleIds = await this.#visible(due.map(([id]) => id));
    const isUrgent = visibleIds.some((id) => this.#watched.get(id)?.written === 'urgent');
    for (const id of visibleIds) this.#watched.delete(id);
    if (visibleIds.length > 0) this.#onVisible(isUrgent ? 'urgent' : undefined);
    for (const [id, watched] of due) {
      if (watched.until <= now) this.#watched.delete(id);
      watched.pauseMs = Math.min(watched.pauseMs * 2, maxPauseMs);
      watched.next = now + watched.pauseMs;
    }
    this.#polling = false;
    this.#schedule();
  }

  /** The ids of the visible jobs. If the database is unavailable, no job is visible: the next poll is soon. */
  async #visible(ids: readonly string[]): Promise<string[]> {
    try {
      const database = await this.#database();
      const visibleIds: string[] = [];
      for (const list of inLists(ids)) {
        const rows = await database.read(unscoped('the queue serves every workspace'), (handle) =>
          handle.all(...visibleListed(list, {})),
        );
        visibleIds.push(...rows.map(({ id }) => id));
      }
      return visibleIds;
    } catch {
      return [];
    }
  }
}
