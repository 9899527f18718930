// Brings a mistake to the test that made it: what a handler throws, such as an undeclared event or job, is `internal_error` to
// callers, and a failed try of a job to the queue. Used by test-service.ts.
import type { Logger } from '../../core/contract/ports/platform.ts';
import { isUndeclared } from '../../core/pipeline/undeclared.ts';

/** A logger that passes everything on, and the mistakes that went through it. */
export interface UndeclaredWatch {
  readonly logger: Logger;
  /** @throws Error with the first mistake since the last call */
  throwSeen(): void;
  /** What the log said of the cause of a refusal, once; undefined where it said nothing. */
  takeCause(requestId: unknown): string | undefined;
}

/** Causes that no test asked for are forgotten beyond this number. */
const maxCauses = 100;

/** Watches what is logged. */
export function watchUndeclared(logger: Logger): UndeclaredWatch {
  const seen: string[] = [];
  const causes = new Map<unknown, string>();
  const look = ({ cause, request_id: requestId }: Readonly<Record<string, unknown>>): void => {
    if (typeof cause !== 'string') return;
    if (requestId !== undefined) causes.set(requestId, cause);
    const [oldest] = causes.keys();
    if (causes.size > maxCauses) causes.delete(oldest);
    const [first = ''] = cause.split('\n', 1);
    const message = first.replace(/^Error: /, '');
    if (isUndeclared(message)) seen.push(message);
  };
  return {
    logger: {
      debug: (fields, message) => logger.debug(fields, message),
      info: (fields, message) => logger.info(fields, message),
      warn(fields, message) {
        look(fields);
        logger.warn(fields, message);
      },
      error(fields, message) {
        look(fields);
        logger.error(fields, message);
      },
    },
    throwSeen() {
      const [first] = seen.splice(0);
      if (first !== undefined) throw new Error(first);
    },
    takeCause(requestId) {
      const cause = causes.get(requestId);
      causes.delete(requestId);
      return cause;
    },
  };
}
