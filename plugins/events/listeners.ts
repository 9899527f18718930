// Notifies other plugins of a custom event, in the transaction that records it.
import type { TransactionContext } from '../../core/index.ts';

/** A custom event of a contact. */
export interface RecordedEvent {
  /** Prefix evt_. */
  readonly id: string;
  readonly type: string;
  readonly contactId: string;
  /** The normalised address of the contact. */
  readonly email: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The time of the event, in milliseconds. */
  readonly at: number;
}

/** An entry of `events.listeners`: a plugin that reacts to custom events. */
export interface CustomEventListener {
  /** Called once for each event. The contact is locked. If it throws, the event is not recorded. */
  recorded(ctx: TransactionContext, event: RecordedEvent): Promise<void>;
}

declare module '../../core/contract/open.ts' {
  interface ExtensionPoints {
    /** Plugins that react to custom events. */
    'events.listeners': CustomEventListener;
  }
}

/** Calls all entries, one after the other. */
export async function notifyRecorded(ctx: TransactionContext, event: RecordedEvent): Promise<void> {
  for (const listener of ctx.ports.contributions('events.listeners').values()) await listener.recorded(ctx, event);
}
