// service.on: subscribers of the embedding program, beside those that plugins declare. Called by compose.ts.
import type { EventEnvelope, EventOf, EventPattern } from '../contract/events.ts';
import { subscriberJob } from '../jobs/event-jobs.ts';
import type { Core } from '../pipeline/core.ts';
import { patternFault } from '../pipeline/event-patterns.ts';

/** Options of `service.on`. */
export interface SubscriptionOptions {
  /**
   * Stands in the job's kind. Every process that emits or delivers must register the same names. (Default: the pattern
   * and how many came before with the same one, so keep their order)
   */
  readonly name?: string;
}

/** `service.on`. */
export type Subscribe = <const P extends EventPattern>(
  pattern: P,
  handler: (event: EventOf<P>) => unknown,
  options?: SubscriptionOptions,
) => void;

/** @throws Error for a type that one of the service's own families does not have, and for a name that is taken */
export function createSubscribe(core: Core): Subscribe {
  const counts = new Map<string, number>();
  return (pattern, handler, { name } = {}) => {
    const fault = patternFault(core.registry.events, pattern);
    if (fault !== undefined) throw new Error(fault);
    const before = counts.get(pattern) ?? 0;
    counts.set(pattern, before + 1);
    const called = name ?? `${pattern}#${before + 1}`;
    const call = async (event: EventEnvelope): Promise<void> => {
      await handler(event as Parameters<typeof handler>[0]);
    };
    core.addSubscriber(
      pattern,
      subscriberJob(called, (_, event) => call(event)),
    );
  };
}
