// Reads a send when its delivery begins, and again before its hand-over, with all facts that decide on it. One read covers everything each time,
// because reads are costly. Called by the delivery jobs.
import type { JobContext } from '../../../core/index.ts';
import { type DecisionEffect, effectOf, expiredReason, isExpired } from '../decision/decide.ts';
import { decideToDeliver } from '../decision/judge.ts';
import { contentRows, sendRows } from '../store.ts';
import type { SendContentRow, SendRow } from '../tables.ts';
import type { BroadcastGate, BroadcastSends, DeliveryMoment } from './broadcast-sends.ts';

/** A send that is being delivered. */
export interface SendToDeliver {
  readonly send: SendRow;
  /** Undefined if it was deleted or not read. */
  readonly content: SendContentRow | undefined;
  readonly outcome: DecisionEffect;
  /** Whether the mail needs a slot right before its hand-over. */
  readonly needsSlot: boolean;
  /** The time at which the outcome was decided, in milliseconds. */
  readonly decidedAt: number;
  /** Whether the broadcast of the send lets it leave. */
  readonly gate: BroadcastGate;
}

/** The decision for the test of a template: nothing stops it, because it stays in the sandbox. */
const sent: DecisionEffect = { kind: 'sent' };

const hasLeftList: DecisionEffect = {
  kind: 'suppressed',
  reason: { code: 'no_consent', message: 'The recipient has left the list after the mail was accepted.' },
};

/** The send with this id; undefined if it does not exist. `withContent`: whether its content is read. (Default: true) */
export function findSend(
  { read, services, workspace, ports }: JobContext,
  id: string,
  { moment, withContent = true }: { readonly moment: DeliveryMoment; readonly withContent?: boolean },
): Promise<SendToDeliver | undefined> {
  return read(async (ctx) => {
    const { trx } = ctx;
    const now = ports.now();
    const send = await sendRows.find(trx, id);
    if (send === undefined) return undefined;
    const staysInSandbox = send.test && send.sandbox;
    const [content, row] = await Promise.all([
      withContent ? contentRows.find(trx, id) : undefined,
      staysInSandbox ? undefined : services.suppressions.find(trx, send.to_address, now),
    ]);
    if (staysInSandbox) return { send, content, outcome: sent, needsSlot: false, decidedAt: now, gate: 'open' };
    const { decision, needsSlot } = await decideToDeliver({ ...ctx, workspace, now }, send, row);
    const broadcasts: BroadcastSends | undefined = services.broadcastSends;
    const sendToDeliver = {
      send,
      content,
      outcome: effectOf(decision),
      needsSlot,
      decidedAt: now,
      gate: 'open',
    } as const;
    if (send.broadcast_id === null || broadcasts === undefined) return sendToDeliver;
    const gate = await broadcasts.gateOf(ctx, send, moment);
    if (gate !== 'no_consent') return { ...sendToDeliver, gate };
    return sendToDeliver.outcome.kind === 'suppressed' ? sendToDeliver : { ...sendToDeliver, outcome: hasLeftList };
  });
}

/** The maximum age of a decision at the hand-over, in milliseconds. An older decision is made again. */
const freshMs = 1_000;

/** The send right before its hand-over. If it waited, the outcome is decided again. Undefined if the send no longer exists. */
export async function findAgain(ctx: JobContext, earlier: SendToDeliver): Promise<SendToDeliver | undefined> {
  const { send, decidedAt } = earlier;
  const now = ctx.ports.now();
  // Nothing leaves after the pause of a broadcast, so its gate is always read again.
  if (send.broadcast_id !== null || now - decidedAt >= freshMs)
    return findSend(ctx, send.id, { moment: 'leaves', withContent: false });
  if (send.expires_at === null || !isExpired(send.expires_at, now)) return earlier;
  return { ...earlier, outcome: { kind: 'expired', reason: expiredReason(send.expires_at) } };
}
