// Events: declared once by their plugin, emitted in the transaction of what they report, handed on after it.
import type { z } from 'zod';
import type { Effects, ServiceSurface } from './context.ts';
import type { JobContext } from './jobs.ts';
import type { CustomEventData, EventMap } from './open.ts';

/** A declared event of the catalogue. */
export interface EventDeclaration {
  /** `family.name`, lower-case: what subscriptions name. */
  readonly type: string;
  readonly description: string;
  readonly data: z.ZodType;
  /** A complete example of `data`, shown in the documentation and used by test deliveries. */
  readonly example: unknown;
  /** Plans below this tier are told nothing of it outside the service. (Default: 0) */
  readonly minimumTier?: number;
}

/** Declares a catalogue event; its type of `data` is added to EventMap beside it. */
export function defineEvent<const T extends string, S extends z.ZodType>(declaration: {
  readonly type: T;
  readonly description: string;
  readonly data: S;
  readonly example: z.input<S>;
  readonly minimumTier?: number;
}): EventDeclaration & { readonly type: T; readonly data: S } {
  return declaration;
}

/** What custom events carry, declared by the plugin that takes them; its type is added to CustomEventData. */
export interface CustomEventsDeclaration {
  readonly data: z.ZodType;
  /** A complete example of `data`, shown in the documentation and used by test deliveries. */
  readonly example: CustomEventData;
  /** Families that mean the service's own events, whether or not a plugin with such events is composed. (Default: none) */
  readonly reservedFamilies?: readonly string[];
}

/** An event as everybody gets it: the body of a webhook, and what subscribers in the process are called with. */
export interface EventEnvelope<Type extends string = string, Data = unknown> {
  /** `evt_…`: names one fact. The same fact told twice has the same id. */
  readonly id: string;
  readonly type: Type;
  /** ISO 8601, when it happened. */
  readonly timestamp: string;
  readonly workspace_id: string;
  /** `custom` for what POST /v1/events was given. */
  readonly source: 'service' | 'custom';
  /** True for what a sandbox key caused; absent otherwise. */
  readonly synthetic?: true;
  readonly data: Data;
}

/** The event of a catalogue type. */
export type ServiceEvent<T extends keyof EventMap & string = keyof EventMap & string> = {
  [K in T]: EventEnvelope<K, EventMap[K]>;
}[T];

/** What patterns can name: a type, a family (`send.*`), or everything (`*`). */
export type EventPattern = (keyof EventMap & string) | `${string}.*` | '*' | (string & {});

/** What a subscriber of a pattern is called with: typed where the pattern is a type of the catalogue. */
export type EventOf<P extends string> = P extends keyof EventMap & string ? ServiceEvent<P> : EventEnvelope;

/** A plugin's subscriber in the process. */
export interface SubscriberDeclaration {
  /** Unique within its plugin; part of the job's kind, so keep it over releases. */
  readonly name: string;
  readonly event: EventPattern;
  /** Runs as a durable job, at least once: write it to be run twice. What it throws is tried again. */
  handler(context: JobContext, event: EventEnvelope): Promise<void>;
}

/** Declares a subscriber: `defineSubscriber({ name: 'count', event: 'send.bounced', handler(context, event) { … } })`. */
export function defineSubscriber<const P extends EventPattern>(declaration: {
  readonly name: string;
  readonly event: P;
  handler(context: JobContext, event: EventOf<P>): Promise<void>;
}): SubscriberDeclaration {
  return declaration as SubscriberDeclaration;
}

/**
 * A plugin that hands events on. What it wants is kept as interests (`setInterests`), so that
 * an event that nobody wants costs nothing. The service's own events come to it in a job after their commit, custom
 * ones in the transaction of the request, which answers the count.
 */
export interface EventConsumer {
  /** Stands in the interests. */
  readonly id: string;
  /** The figure of a custom event's `fan_out` that it adds to, in snake_case: `letters_printed`. It is 0 where none was reached. */
  readonly figure: string;
  /**
   * Whether `dispatch` is synchronous and only defers writes. Many events then share a transaction. (Default: false)
   */
  readonly batched?: boolean;
  /**
   * Writes what follows from the event for these of its subjects, in a transaction: rows and jobs, nothing outside.
   * Answers how many it reached. Called once an event.
   */
  dispatch(
    effects: Effects,
    event: EventEnvelope,
    subjects: readonly string[],
    surface: ServiceSurface,
  ): number | Promise<number>;
}

/** How many were reached by a custom event, inside its transaction: the figure of each composed consumer. */
export type FanOut = Readonly<Record<string, number>>;
