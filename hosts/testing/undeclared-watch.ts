// Reports undeclared events and jobs to the test that caused them. If a handler throws such an error, callers only see an
// `internal_error`, and the queue only a failed attempt. Used by test-service.ts.
import type { Logger } from '../../core/contract/ports/platform.ts';
import { isUndeclared } from '../../core/pipeline/undeclared.ts';

/** A logger that passes all messages on, and the mistakes among them. */
export interface UndeclaredWatch {
  readonly logger: Logger;
  /** @throws Error with the first mistake since the last call */
  throwSeen(): void;
  /** Returns the logged cause of a refusal once; undefined if no cause was logged. */
  takeCause(requestId: unknown): string | undefined;
}

/** The maximum number of causes. Older unread causes are dropped. */
const maxCauses = 100;

/** Watches the logged messages. */
export function watchUndeclared(logger: Logger): UndeclaredWatch {
  const mistakes: string[] = [];
  const causes = new Map<unknown, string>();
  const inspect = ({ cause, request_id: requestId }: Readonly<Record<string, unknown>>): void => {
    if (typeof cause !== 'string') return;
    if (requestId !== undefined) causes.set(requestId, cause);
    const [oldest] = causes.keys();
    if (causes.size > maxCauses) causes.delete(oldest);
    const [first = ''] = cause.split('\n', 1);
    const message = first.replace(/^Error: /, '');
    if (isUndeclared(message)) mistakes.push(message);
  };
  return {
    logger: {
      debug: (fields, message) => logger.debug(fields, message),
      info: (fields, message) => logger.info(fields, message),
      warn(fields, message) {
        inspect(fields);
        logger.warn(fields, message);
      },
      error(fields, message) {
        inspect(fields);
        logger.error(fields, message);
      },
    },
    throwSeen() {
      const [first] = mistakes.splice(0);
      if (first !== undefined) throw new Error(first);
    },
    takeCause(requestId) {
      const cause = causes.get(requestId);
      causes.delete(requestId);
      return cause;
    },
  };
}
