// Enqueues the job that delivers a send, or simulates it in the sandbox. Called when a send is accepted, and when it has to wait again.
import type { Lane, TransactionContext } from '../../../core/index.ts';
import type { SendRow } from '../tables.ts';

/** The lane of a send: login codes (at-most-once) and system mail first, then other mail, marketing last. */
function laneOf({ delivery, category }: Pick<SendRow, 'delivery' | 'category'>): Lane {
  if (delivery === 'at-most-once' || category === 'system') return 'urgent';
  return category === 'marketing' ? 'bulk' : 'normal';
}

/** @param waitsUntil when the job is due, in milliseconds; null: at once */
export function enqueueDelivery(
  ctx: TransactionContext,
  send: SendRow,
  waitsUntil: number | null,
  lane: Lane = laneOf(send),
): void {
  ctx.enqueue({
    kind: send.sandbox ? 'email.simulate' : 'email.deliver',
    payload: { sendId: send.id },
    sandbox: send.sandbox,
    lane,
    subject: send.to_normalised,
    // The key lets canceling find the job.
    ...(waitsUntil === null ? {} : { key: send.id, runAt: waitsUntil }),
  });
}
