// Counts live mail that was handed over, and its hard bounces and complaints. Runs in the transactions that record
// these results, and only defers writes.
import { parseAddress } from '../../core/index.ts';
import type { MailResults } from '../email/index.ts';
import { enqueueJudging } from './jobs/judge.ts';
import type { Receivers } from './receivers.ts';
import { faultRows, handOverRows } from './tables.ts';
import { minuteOf } from './windows/series.ts';

/** The group of a recipient who was erased. A complaint of this group is not compared with any mail. */
const unknown = 'unknown';

/**
 * A report about older mail does not count, because the counts of the mail before it may have been deleted. See
 * schedules.ts.
 */
const latestReportMs = 7 * 86_400_000;

const domainOf = (email: string): string => parseAddress(email)?.domain ?? '';

/** Contributes to `email.results`. */
export const createMailCounter = (receivers: Receivers) => (): MailResults => ({
  handedOver({ trx, newId }, { fromEmail, toEmail, handedOverAt }) {
    handOverRows.deferInsert(trx, {
      id: newId('rho'),
      minute: minuteOf(handedOverAt),
      domain: domainOf(fromEmail),
      receiver: receivers.of(trx.workspaceId, toEmail) ?? unknown,
      mails: 1,
    });
  },
  failed(ctx, { fromEmail, toEmail, handedOverAt }, kind) {
    const { trx, newId, now } = ctx;
    if (handedOverAt < now - latestReportMs) return;
    faultRows.deferInsert(trx, {
      id: newId('rfl'),
      handed_over_at: handedOverAt,
      minute: minuteOf(handedOverAt),
      domain: domainOf(fromEmail),
      receiver: receivers.of(trx.workspaceId, toEmail) ?? unknown,
      kind,
    });
    enqueueJudging(ctx, handedOverAt);
  },
});
