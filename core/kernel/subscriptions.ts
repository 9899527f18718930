// service.on: subscribers of the embedding program, in addition to the subscribers of plugins. Called by compose.ts.
import type { CheckedPattern, EventEnvelope, EventOf, EventPattern } from '../contract/declaration/events.ts';
import { subscriberJob } from '../jobs/event-jobs.ts';
import type { Core } from '../pipeline/core.ts';
import { patternFault } from '../pipeline/event-patterns.ts';

/** Options of `service.on`. */
export interface SubscriptionOptions {
  /**
   * Part of the job's kind. Every process that emits or runs jobs must register the same names. (Default: the pattern
   * and a counter of subscribers with the same pattern, so keep their order)
   */
  readonly name?: string;
}

/** `service.on`. */
export type Subscribe = <const P extends EventPattern>(
  pattern: CheckedPattern<P>,
  handler: (event: EventOf<P>) => unknown,
  options?: SubscriptionOptions,
) => void;

/**
 * Makes `service.on`. It throws a TypeError if the handler is not a function, and an Error for an existing name or for an unknown event
 * in one of the service's own families.
 */
export function createSubscribe(core: Core): Subscribe {
  const counts = new Map<string, number>();
  return (pattern, handler, { name } = {}) => {
    if (typeof handler !== 'function')
      throw new TypeError(`service.on('${pattern}', handler, { name }): the second argument must be a function.`);
    const fault = patternFault(core.registry.events, pattern);
    if (fault !== undefined) throw new Error(fault);
    const earlierCount = counts.get(pattern) ?? 0;
    counts.set(pattern, earlierCount + 1);
    const subscriberName = name ?? `${pattern}#${earlierCount + 1}`;
    const call = async (event: EventEnvelope): Promise<void> => {
      await handler(event as Parameters<typeof handler>[0]);
    };
    core.addSubscriber(
      pattern,
      subscriberJob(subscriberName, (_, event) => call(event)),
    );
  };
}
