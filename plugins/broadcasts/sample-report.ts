// Writes a report for the page of broadcasts in development and in its tests. The service itself never calls it.
import type { TransactionContext } from '../../core/index.ts';
import type { SendReport } from '../email/index.ts';
import { broadcastRows } from './broadcasts.ts';
import { recipientRows } from './tables.ts';

const hourMs = 3_600_000;
/** The time since the beginning of the sample, in milliseconds. */
const agoMs = 30 * hourMs;
const maxRecipients = 500;

/** Most opens follow soon after the mail, and later opens are rarer. */
const afterMs = (index: number): number => Math.round(((index % 29) / 29) ** 2 * 26 * hourMs) + 600_000;

/** The actions of a recipient, usually none. Of 20 recipients, 9 open the mail and 4 click. */
function reportsOf(index: number, links: readonly string[]): SendReport[] {
  const part = index % 20;
  if (index === 11)
    return [
      {
        kind: 'bounced',
        bounce: {
          class: 'hard',
          subType: 'no_mailbox',
          smtpCode: 550,
          enhancedCode: '5.1.1',
          diagnostic: 'Simulated: no such mailbox.',
        },
      },
    ];
  if (index === 13) return [{ kind: 'complained' }];
  if (part > 8) return [];
  const clicked = part < 4 ? links[index % 3 === 0 ? 1 : 0] : undefined;
  return [
    { kind: 'opened' },
    ...(clicked === undefined ? [] : [{ kind: 'clicked' as const, url: clicked }]),
    ...(part === 8 ? [{ kind: 'unsubscribed' as const }] : []),
  ];
}

/**
 * Moves a sent broadcast of up to 500 recipients back by 30 hours, and records opens, clicks, bounces, complaints and unsubscriptions of its
 * recipients since then. The same recipients always do the same. `links`: the links that they click.
 */
export async function writeSampleReport(
  ctx: TransactionContext,
  broadcastId: string,
  links: readonly string[],
): Promise<void> {
  const { trx, now, services } = ctx;
  const begin = now - agoMs;
  await broadcastRows.update(trx, broadcastId, { started_at: begin, finished_at: begin + 120_000, due_at: begin });
  const recipients = await recipientRows.page(trx, { where: { broadcast_id: broadcastId }, limit: maxRecipients });
  for (const [index, { id, send_id: sendId, delivered_at: delivered }] of recipients.entries()) {
    await recipientRows.update(trx, id, { at: begin, delivered_at: delivered === null ? null : begin + index * 1_000 });
    if (sendId === null) continue;
    for (const report of reportsOf(index, links))
      await services.sendReports.report({ ...ctx, now: begin + afterMs(index) }, sendId, report);
  }
}
