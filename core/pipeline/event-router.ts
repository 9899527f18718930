// The subscribers of this process, which plugins and the program register. Made by the kernel, called for every emitted event.
import type { SubscribersPort } from '../contract/context/context.ts';
import type { EventDeclaration } from '../contract/declaration/events.ts';
import { consumersInterested } from './event-interests.ts';
import { patternsOf } from './event-patterns.ts';

/** A subscriber of this process: the kind of the job that calls it. */
export interface Subscription {
  readonly pattern: string;
  readonly kind: string;
}

/** The subscribers of this process. */
export interface EventRouter {
  /** The kinds of jobs that call the subscribers of an event. */
  subscribersOf(type: string, source: 'service' | 'custom'): readonly string[];
  subscribe(subscription: Subscription): void;
}

/** A router over the composed events. */
export function createEventRouter(events: ReadonlyMap<string, EventDeclaration>): EventRouter {
  const subscriptions: Subscription[] = [];
  return {
    subscribersOf(type, source) {
      if (subscriptions.length === 0) return [];
      const matchingPatterns = patternsOf(events, type, source);
      return subscriptions.flatMap(({ pattern, kind }) => (matchingPatterns.includes(pattern) ? [kind] : []));
    },
    subscribe: (subscription) => void subscriptions.push(subscription),
  };
}

/** `ctx.ports.subscribers`, over the composed events. */
export const createSubscribers = (
  events: ReadonlyMap<string, EventDeclaration>,
  router: () => EventRouter,
): SubscribersPort => ({
  inProcess: (types) => types.some((type) => router().subscribersOf(type, 'service').length > 0),
  consumersOf: (handle, types) =>
    consumersInterested(handle, [...new Set(types.flatMap((type) => patternsOf(events, type, 'service')))]),
});
