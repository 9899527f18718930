// Logs once that something fails and once that it works again, instead of every second. Both are logged at warn level
// at least. Called by all loops of the jobs, by the readiness check, and by plugins that hand messages over.
import type { Logger } from '../contract/ports/platform.ts';

/** Remembers the parts that fail at present. */
export class OutageLog {
  readonly #log: Logger;
  readonly #failing = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /**
   * Logs that `what` fails, unless this was already logged. `then`: the consequence, for the log. `level`: `error` if only a
   * person can repair it.
   */
  report(what: string, error: unknown, then = 'it will be retried', level: 'warn' | 'error' = 'warn'): void {
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
