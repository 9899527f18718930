// Pauses the sequences that a key published, if the key is revoked because a stranger may know its secret.
import type { TransactionContext } from '../../core/index.ts';
import { pauseRow } from './publish/pause-archive.ts';
import { sequenceRows } from './tables.ts';

/** Pauses the published sequences of the key, in the transaction that revokes it. */
export async function pauseSequencesOfKey(ctx: TransactionContext, keyId: string): Promise<void> {
  const paused: string[] = [];
  for await (const rows of sequenceRows.each(ctx.trx, { published_by: keyId, status: 'published' }))
    paused.push(...rows.map(({ id }) => id));
  for (const row of await sequenceRows.findIn(ctx.trx, 'id', paused, 'update')) {
    if (row.status !== 'published') continue;
    await pauseRow(ctx, row);
    ctx.audit('sequence.pause', { kind: 'sequence', id: row.id }, { compromised_key: keyId });
  }
}
