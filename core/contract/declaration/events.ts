// Events: declared once by their plugin, written in the transaction that causes them, delivered after its commit.
import type { z } from 'zod';
import type { TransactionContext } from '../context/context.ts';
import type { CustomEventData, EventMap } from '../open.ts';
import type { JobContext } from './jobs.ts';

/** A declared event of the catalogue. */
export interface EventDeclaration {
  /** `family.name`, lower-case: the name that subscriptions use. */
  readonly type: string;
  readonly description: string;
  readonly data: z.ZodType;
  /** A complete example of `data`, shown in the documentation and used by test deliveries. */
  readonly example: unknown;
  /** The lowest plan tier in which subscribers outside the service get the event. (Default: 0) */
  readonly minimumTier?: number;
  /** Returns the person that an event is about: the id of their record, or an address. (Default: no person) */
  person?(data: unknown): string | null | undefined;
}

/** Declares a catalogue event. Add the type of its `data` to EventMap next to the declaration. */
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

/** The schema of custom events, declared by the plugin that accepts them. That plugin adds its type to CustomEventData. */
export interface CustomEventsDeclaration {
  readonly data: z.ZodType;
  /** A complete example of `data`, shown in the documentation and used by test deliveries. */
  readonly example: CustomEventData;
  /** Families that are reserved for the service's own events, even if no composed plugin has such events. (Default: none) */
  readonly reservedFamilies?: readonly string[];
}

/** An event as every consumer receives it: the body of a webhook, and the argument of subscribers in the process. */
export interface EventEnvelope<Type extends string = string, Data = unknown> {
  /** `evt_…`: identifies one occurrence. A repeated delivery has the same id. */
  readonly id: string;
  readonly type: Type;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  readonly workspace_id: string;
  /** `custom` for events of POST /v1/events. */
  readonly source: 'service' | 'custom';
  /** True for events that a sandbox key caused; absent otherwise. */
  readonly synthetic?: true;
  readonly data: Data;
}

/** The envelope of an event of the catalogue, by its type. */
export type ServiceEvent<T extends keyof EventMap & string = keyof EventMap & string> = {
  [K in T]: EventEnvelope<K, EventMap[K]>;
}[T];

/** A pattern of events: a type, a family (`send.*`), or everything (`*`). */
export type EventPattern = (keyof EventMap & string) | `${string}.*` | '*' | (string & {});

type Catalogued = keyof EventMap & string;
type FamilyOf<Type extends string> = Type extends `${infer Family}.${string}` ? Family : never;
type Matched<P extends string> = P extends `${infer Family}.*` ? Extract<Catalogued, `${Family}.${string}`> : never;

/**
 * The pattern `P` itself if it can match an event. A family of the catalogue contains only the types of the catalogue, so
 * `send.bouncd` cannot match. If `P` cannot match, this is the union of the types in its family, which the compiler then
 * lists in its error.
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

/** The event that a subscriber of a pattern receives. Its data are typed if the pattern is a type of the catalogue. */
export type EventOf<P extends string> = P extends keyof EventMap & string ? ServiceEvent<P> : EventEnvelope;

/** A plugin's subscriber in the process. */
export interface SubscriberDeclaration {
  /** Unique within its plugin. It is a part of the job's kind, so do not change it in later releases. */
  readonly name: string;
  readonly event: EventPattern;
  /** Runs as a durable job, at least once, so it must be safe to run twice. If it throws, the job is retried. */
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
 * A plugin's delivery of events, such as webhooks. The plugin stores its subscriptions as interests (`setInterests`). If no
 * interest matches an event, the event is not written and costs nothing. The service's own events reach the consumer in a job
 * after their commit. Custom events reach it in the transaction of the request, whose response contains the count of
 * deliveries.
 */
export interface EventConsumer {
  /** Identifies the consumer in the table of interests. */
  readonly id: string;
  /**
   * The name, in snake_case, of the number in a custom event's `fan_out` that counts this consumer's deliveries:
   * `letters_printed`. The number is 0 if there were no deliveries.
   */
  readonly countName: string;
  /**
   * Whether `dispatch` is synchronous and only defers writes. If true, many events share a transaction. (Default: false)
   */
  readonly batched?: boolean;
  /**
   * Writes the deliveries of the event to these subjects, which are the consumer's interested subscriptions. It writes rows and
   * jobs in the transaction and does no other I/O. Returns the number of deliveries. Called once for each event.
   */
  dispatch(ctx: TransactionContext, event: EventEnvelope, subjects: readonly string[]): number | Promise<number>;
  /**
   * Like `dispatch`, for events of one type that one call emitted together: at most 100, in one transaction. Returns the events
   * that it skipped; each of these is dispatched on its own afterwards. If this method fails, every event is dispatched on its
   * own. (Default: every event is dispatched on its own)
   */
  dispatchEach?(
    ctx: TransactionContext,
    events: readonly EventEnvelope[],
    subjects: readonly string[],
  ): Promise<readonly EventEnvelope[]>;
}

/**
 * The number of deliveries of a custom event, counted inside its transaction: one number for each composed consumer.
 */
export type FanOut = Readonly<Record<string, number>>;
