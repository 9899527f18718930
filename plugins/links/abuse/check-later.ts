// Queues the check of a link's destinations, in the transaction that writes them.
import type { TransactionContext } from '../../../core/index.ts';
import { noBlockList } from '../port/block-list.ts';
import type { LinkRow } from '../tables.ts';

/** Queues no check if the program has no block list. */
export function checkLater({ ports, enqueue, workspace }: TransactionContext, row: LinkRow): void {
  if (ports.linkBlockList.idOf(workspace.id) === noBlockList) return;
  enqueue({ kind: 'links.check', key: row.id, payload: { linkId: row.id }, sandbox: row.sandbox });
}
