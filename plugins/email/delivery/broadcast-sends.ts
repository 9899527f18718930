// `ctx.services.broadcastSends`: the decisions of the broadcasts plugin about the sends of a broadcast, and its counts. Email calls it for
// a send with a `broadcast_id`. Without that plugin, no send has one.
import type { ReadContext, TransactionContext } from '../../../core/index.ts';
import type { SendEventType } from '../events.ts';
import type { SendRow } from '../tables.ts';

/** Whether the sends of a broadcast may be handed over. `canceled`: they never may. */
export type BroadcastGate = 'open' | 'paused' | 'canceled';

/** The moment of a check: when the delivery of a send begins, or right before its hand-over. */
export type DeliveryMoment = 'begins' | 'leaves';

/** A change of a send. */
export interface SendChange {
  readonly before: SendRow;
  readonly after: SendRow;
  /** The entry of the timeline. Undefined if only counts of the send changed. */
  readonly type?: SendEventType | undefined;
  /** The time of the event, in milliseconds: the provider's time if it reported one, otherwise the time of recording. */
  readonly at: number;
}

/** The service, if the plugin of broadcasts is composed. */
export interface BroadcastSends {
  /**
   * Whether the send may be handed over now. `no_consent`: its recipient has left the lists of the audience. This is only looked up right
   * before the hand-over.
   */
  gateOf(ctx: ReadContext, send: SendRow, moment: DeliveryMoment): Promise<BroadcastGate | 'no_consent'>;
  /**
   * Makes a send wait if its broadcast is paused. Returns the gate at this moment, which no other transaction changes until this one
   * ends: if it is `paused`, the send waits, and needs no job until the broadcast is resumed or canceled.
   */
  park(ctx: TransactionContext, send: SendRow): Promise<BroadcastGate>;
  /** Counts a change, in the transaction of the change. */
  sendChanged(ctx: TransactionContext, change: SendChange): Promise<void>;
}

/** Reports a change of a send of a broadcast. Does nothing for other sends. */
export async function reportChange(ctx: TransactionContext, change: SendChange): Promise<void> {
  if (change.before.broadcast_id === null) return;
  const broadcasts: BroadcastSends | undefined = ctx.services.broadcastSends;
  await broadcasts?.sendChanged(ctx, change);
}
