// Reports a mistake to the test that made it. If a handler throws, for example for an undeclared event or job, callers only see
// an `internal_error`, and the queue only a failed attempt. Used by test-service.ts.
import type { Logger } from '../../core/contract/ports/platform.ts';
import { isUndeclared } from '../../core/pipeline/undeclared.ts';

/** A logger that passes everything on, and the mistakes that were logged through it. */
export interface UndeclaredWatch {
  readonly logger: Logger;
  /** @throws Error with the first mistake since the last call */
  throwSeen(): void;
  /** The logged cause of a refusal, returned once; undefined if none was logged. */
  takeCause(requestId: unknown): string | undefined;
}

/** The maximum number of causes. Older unread causes are dropped. */
const maxCauses = 100;

/** Watches the logged messages. */
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
