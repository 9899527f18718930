// Announces urgent jobs to the workers of other processes, so that they do not wait for the next poll. Called by the job runner of a
// process that runs no jobs itself.
import type { Database } from '../storage/database.ts';

/** Notifies other processes, on a database that can do so. */
export class Announcer {
  readonly #database: () => Promise<Database>;
  #sending: Promise<void> | undefined;
  #mustRepeat = false;

  constructor(database: () => Promise<Database>) {
    this.#database = database;
  }

  /**
   * Call after a commit. Returns at once. Calls during a notification share the next one, so that many commits need few notifications.
   * If a notification fails, the workers find the jobs when they poll.
   */
  announce(): void {
    this.#mustRepeat = true;
    this.#sending ??= this.#send();
  }

  /** Resolves when no notification is under way. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    try {
      const database = await this.#database();
      while (this.#mustRepeat) {
        this.#mustRepeat = false;
        if (database.driver.notify !== undefined) await database.transact((scope) => scope.notify('jobs', 'urgent'));
      }
    } catch {
      // The jobs are committed, and workers poll.
    }
    this.#sending = undefined;
  }
}
