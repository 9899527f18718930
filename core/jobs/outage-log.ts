// Logs once that something fails and once that it works again, instead of every second, both as warnings at least. Called by all
// loops of the jobs, by the readiness check, and by plugins that hand messages over.
import type { Logger } from '../contract/ports/platform.ts';

/** What fails at present. */
export class OutageLog {
  readonly #log: Logger;
  readonly #failing = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** `then` says what becomes of it. `level`: `error` for what only a person can mend. */
  report(what: string, error: unknown, then = 'it is tried again', level: 'warn' | 'error' = 'warn'): void {
    if (this.#failing.has(what)) return;
    this.#failing.add(what);
    this.#log[level](
      { cause: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      `${what} fails; ${then}`,
    );
  }

  over(what: string): void {
    if (this.#failing.delete(what)) this.#log.warn({}, `${what} works again`);
  }
}
