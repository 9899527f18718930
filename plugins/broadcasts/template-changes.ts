// A new version of a template changes the content that members decide on, so requests for broadcasts with it end. The entry of
// `templates.changes`.
import type { TransactionContext } from '../../core/index.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import type { TemplateChanges } from '../templates/index.ts';
import { broadcastKindId, broadcastRows } from './broadcasts.ts';
import { templateKeysOf } from './experiments/variants.ts';

async function templateChanged(ctx: TransactionContext, key: string): Promise<void> {
  const approvals: ApprovalsService | undefined = ctx.services.approvals;
  const waiting = [...((await approvals?.pendingOf(ctx.trx, broadcastKindId))?.keys() ?? [])];
  if (waiting.length === 0) return;
  const changed: string[] = [];
  // Scheduling has frozen the template of any other broadcast.
  for (const side of [false, true])
    for (const row of await broadcastRows.findIn(ctx.trx.onSide(side), 'id', waiting))
      if (row.status === 'draft' && templateKeysOf(row).includes(key)) changed.push(row.id);
  await ctx.contentChanged(broadcastKindId, changed);
}

export const createTemplateChanges = (): TemplateChanges => ({ templateChanged });
