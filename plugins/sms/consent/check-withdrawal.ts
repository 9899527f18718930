// Checks whether the recipient has replied STOP or withdrawn the consent since the message was accepted. Called by the delivery jobs.
import type { JobContext } from '../../../core/index.ts';
import { suppressedSentence } from '../accept/accept.ts';
import { findSuppressed } from '../store.ts';
import type { SmsRow } from '../tables.ts';
import { isInForce } from './consents.ts';

/** The reason why the message must not be sent any more; undefined if it may be sent. */
export function withdrawalReason(ctx: JobContext, sms: SmsRow): Promise<string | undefined> {
  const { to_number: number, consent_id: consentId } = sms;
  return ctx.read(async ({ trx }) => {
    const suppressed = await findSuppressed(trx, number);
    if (suppressed !== undefined) return suppressedSentence(Number(suppressed.created_at));
    const isWithdrawn = consentId !== null && !(await isInForce(trx, consentId, number, sms.class));
    return isWithdrawn ? `The consent ${consentId} was withdrawn before the message was sent.` : undefined;
  });
}
