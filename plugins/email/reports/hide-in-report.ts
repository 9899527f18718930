// Removes the values of writeOnly variables from the reports of a provider about a mail: the targets of clicked links, and texts
// of servers that quote the mail. Called in the transaction that records the report.
import type { TransactionContext } from '../../../core/index.ts';
import { hiddenValue } from '../../../core/unstable.ts';
import { secretsOf } from '../delivery/message.ts';
import { openContent, type SendContent } from '../delivery/send-content.ts';
import type { ReportedFact } from '../port/index.ts';
import { contentRows, sendRows } from '../store.ts';

/** Whether links of the send may contain hidden values. After the retention of its content, its template decides. */
async function hidesLinks(ctx: TransactionContext, sendId: string, content: SendContent | undefined): Promise<boolean> {
  if (content !== undefined) return content.hidden !== undefined;
  const send = await sendRows.find(ctx.trx.bothSides(anySide), sendId);
  if (send === undefined) return false;
  const { template_id: templateId, template_version: version, locale } = send;
  return version === 0 || ctx.services.templates.hidesVariables(ctx, { templateId, version, locale });
}

const anySide = 'a report names a send, whichever side it is on';

/** The fact as it may be stored and shown. */
export async function hideInReport(ctx: TransactionContext, sendId: string, fact: ReportedFact): Promise<ReportedFact> {
  if (fact.kind !== 'clicked' && fact.kind !== 'bounced' && fact.kind !== 'delivery_delayed') return fact;
  const row = await contentRows.find(ctx.trx.bothSides(anySide), sendId);
  const content = row === undefined ? undefined : openContent(ctx.ports.keyring, row);
  // All links are hidden, because a provider may have written a hidden value in another form.
  if (fact.kind === 'clicked') return (await hidesLinks(ctx, sendId, content)) ? { ...fact, url: hiddenValue } : fact;
  if (content?.hidden === undefined) return fact;
  const { without } = secretsOf(ctx, content);
  if (fact.kind === 'delivery_delayed') return { ...fact, reason: without(fact.reason) };
  return { ...fact, bounce: { ...fact.bounce, diagnostic: without(fact.bounce.diagnostic) } };
}
