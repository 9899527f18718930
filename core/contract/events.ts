// Events: declared once by their plugin, written in the transaction of what they report, delivered after it.
import type { z } from 'zod';
import type { TransactionContext } from './context.ts';
import type { JobContext } from './jobs.ts';
import type { CustomEventData, EventMap } from './open.ts';

/** A declared event of the catalogue. */
export interface EventDeclaration {
  /** `family.name`, lower-case: the name that subscriptions use. */
  readonly type: string;
  readonly description: string;
  readonly data: z.ZodType;
  /** A complete example of `data`, shown in the documentation and used by test deliveries. */
  readonly example: unknown;
  /** Subscribers outside the service get it only from this plan tier up. (Default: 0) */
  readonly minimumTier?: number;
  /** The person that one such event is about, by the id of their record or an address. (Default: no person) */
  person?(data: unknown): string | null | undefined;
}

/** Declares a catalogue event; its type of `data` is added to EventMap beside it. */
export function defineEvent<const T extends string, S extends z.ZodType>(declaration: {
  readonly type: T;
  readonly description: string;
  readonly data: S;
  readonly example: z.input<S>;
  readonly minimumTier?: number;
  readonly person?: (data: z.output<S>) => string | null | undefined;
}): EventDeclaration & { readonly type: T; readonly data: S } {
  return declaration;
}

/** The schema of custom events, declared by the plugin that accepts them; its type is added to CustomEventData. */
export interface CustomEventsDeclaration {
  readonly data: z.ZodType;
  /** A complete example of `data`, shown in the documentation and used by test deliveries. */
  readonly example: CustomEventData;
  /** Families that mean the service's own events, whether or not a plugin with such events is composed. (Default: none) */
  readonly reservedFamilies?: readonly string[];
}

/** An event as every consumer gets it: the body of a webhook, and the argument of subscribers in the process. */
export interface EventEnvelope<Type extends string = string, Data = unknown> {
  /** `evt_…`: identifies one occurrence. A repeated delivery has the same id. */
  readonly id: string;
  readonly type: Type;
  /** ISO 8601, when it happened. */
  readonly timestamp: string;
  readonly workspace_id: string;
  /** `custom` for events of POST /v1/events. */
  readonly source: 'service' | 'custom';
  /** True for events that a sandbox key caused; absent otherwise. */
  readonly synthetic?: true;
  readonly data: Data;
}

/** The event of a catalogue type. */
export type ServiceEvent<T extends keyof EventMap & string = keyof EventMap & string> = {
  [K in T]: EventEnvelope<K, EventMap[K]>;
}[T];

/** What patterns can name: a type, a family (`send.*`), or everything (`*`). */
export type EventPattern = (keyof EventMap & string) | `${string}.*` | '*' | (string & {});

type Catalogued = keyof EventMap & string;
type FamilyOf<Type extends string> = Type extends `${infer Family}.${string}` ? Family : never;
type Matched<P extends string> = P extends `${infer Family}.*` ? Extract<Catalogued, `${Family}.${string}`> : never;

/**
 * A pattern that can match: the catalogue's families have no other types than its own, so `send.bouncd` is none. Stands
 * for the types of the family where it cannot, which is what the compiler then lists.
 */
export type CheckedPattern<P extends string> = string extends P
  ? P
  : P extends Catalogued
    ? P
    : [FamilyOf<P>, Matched<P>] extends [FamilyOf<Catalogued>, never]
      ? [FamilyOf<P>] extends [never]
        ? P
        : Extract<Catalogued, `${FamilyOf<P>}.${string}`>
      : P;

/** The event that a subscriber of a pattern gets: typed where the pattern is a type of the catalogue. */
export type EventOf<P extends string> = P extends keyof EventMap & string ? ServiceEvent<P> : EventEnvelope;

/** A plugin's subscriber in the process. */
export interface SubscriberDeclaration {
  /** Unique within its plugin; part of the job's kind, so keep it over releases. */
  readonly name: string;
  readonly event: EventPattern;
  /** Runs as a durable job, at least once: it must be safe to run twice. A thrown error causes a retry. */
  handler(context: JobContext, event: EventEnvelope): Promise<void>;
}

/** Declares a subscriber: `defineSubscriber({ name: 'count', event: 'order.paid', handler(context, event) { … } })`. */
export function defineSubscriber<const P extends EventPattern>(declaration: {
  readonly name: string;
  readonly event: CheckedPattern<P>;
  handler(context: JobContext, event: EventOf<P>): Promise<void>;
}): SubscriberDeclaration {
  return declaration as unknown as SubscriberDeclaration;
}

/**
 * A plugin that delivers events, such as webhooks. It stores its subscriptions as interests (`setInterests`); an event
 * without an interest is not written and costs nothing. The service's own events reach the consumer in a job after
 * their commit, custom events in the transaction of the request, which answers the count.
 */
export interface EventConsumer {
  /** Identifies the consumer in the table of interests. */
  readonly id: string;
  /**
   * The figure in a custom event's `fan_out` that counts this consumer's deliveries, in snake_case: `letters_printed`.
   * 0 where there were none.
   */
  readonly figure: string;
  /**
   * Whether `dispatch` is synchronous and only defers writes. Many events then share a transaction. (Default: false)
   */
  readonly batched?: boolean;
  /**
   * Writes the deliveries of the event to these of its subjects: rows and jobs in a transaction, no I/O outside it.
   * Answers how many deliveries there are. Called once for each event.
   */
  dispatch(ctx: TransactionContext, event: EventEnvelope, subjects: readonly string[]): number | Promise<number>;
  /**
   * Does the same for events of one type that one call emitted together: at most 100, in one transaction. Answers those that it
   * left out: each is dispatched by itself afterwards, as all are where this fails. (Default: each is dispatched by itself)
   */
  dispatchEach?(
    ctx: TransactionContext,
    events: readonly EventEnvelope[],
    subjects: readonly string[],
  ): Promise<readonly EventEnvelope[]>;
}

/**
 * The number of deliveries of a custom event, counted inside its transaction: one figure for each composed consumer.
 */
export type FanOut = Readonly<Record<string, number>>;
