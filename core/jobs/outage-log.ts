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
   * Logs that `part` fails, unless this was already logged. `consequence` ends the line. `level`: `error` if only a person can
   * repair the part.
   */
  report(part: string, error: unknown, consequence = 'it will be retried', level: 'warn' | 'error' = 'warn'): void {
    if (this.#failing.has(part)) return;
    this.#failing.add(part);
    this.#log[level](
      { cause: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      `${part} fails; ${consequence}`,
    );
  }

  reportRecovery(part: string): void {
    if (this.#failing.delete(part)) this.#log.warn({}, `${part} works again`);
  }
}
