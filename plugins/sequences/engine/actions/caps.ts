// Frequency caps: count how many messages all sequences together sent to a contact recently.
import { messagesSince } from '../../store.ts';
import { messageRows } from '../../tables.ts';
import type { RunAtNode } from './run-at-node.ts';

const dayMs = 86_400_000;
/** The period of each cap, in milliseconds. */
export const capWindows = { day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const;

type Channel = 'email' | 'sms';

/** Whether the cap of the sequence forbids one more message. */
export async function isCapped({ ctx, version, contact }: RunAtNode, channel: Channel): Promise<boolean> {
  const { cap } = version.definition.settings;
  if (cap?.channel !== channel) return false;
  const since = ctx.now - capWindows[cap.per];
  const messageQuery = { contact_id: contact.id, channel, since, limit: cap.max };
  return (await messagesSince(ctx.trx, messageQuery)) >= cap.max;
}

/** Counts a queued message towards the caps. */
export function countMessage({ ctx, run, contact }: RunAtNode, channel: Channel): void {
  messageRows.deferInsert(ctx.trx, {
    contact_id: contact.id,
    channel,
    sent_at: ctx.now,
    run_id: run.id,
    number: run.state?.steps ?? 0,
  });
}
