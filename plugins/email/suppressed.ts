// Checks what may stop a send after it was accepted: a suppression added since, or its expiry. Called by the delivery jobs.
import type { JobContext } from '../../core/index.ts';
import type { Suppressed } from '../suppressions/index.ts';
import type { SendRow } from './tables.ts';
import type { TimelineEntry } from './timeline.ts';
import { suppressedSentence } from './why-not-sent.ts';

/** The timeline entry that ends a send to a suppressed recipient. */
export function suppressedEntry(suppressed: Suppressed): TimelineEntry {
  const reason = suppressedSentence(suppressed);
  return {
    type: 'transactional.suppressed',
    status: 'suppressed',
    details: { reason },
    whyNotSent: reason,
    finished: true,
  };
}

/** `whyNotSent` of a send that had expired before it could leave. */
export const expiredReason = 'expired';

export const isExpired = ({ expires_at: end }: SendRow, now: number): boolean => end !== null && end <= now;

/** The timeline entry that ends the send, or undefined. Reads the suppressions of the send's own side. */
export async function suppressedSince(ctx: JobContext, send: SendRow): Promise<TimelineEntry | undefined> {
  const found = await ctx.read(({ trx }) =>
    ctx.services.suppressions.check(trx, ctx.workspace, {
      email: send.to_address,
      category: send.category,
      bypass: send.bypass,
      now: ctx.ports.now(),
    }),
  );
  return found === undefined ? undefined : suppressedEntry(found);
}
