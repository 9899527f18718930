// Creates a version from the working copy and registers its events.
import type { TransactionContext } from '../../../core/index.ts';
import { forgetVersionsLater } from '../jobs/forget-versions.ts';
import { type SequenceRow, sequenceRows } from '../tables.ts';
import { hear, keepVersion, startKeyOf } from '../versions.ts';

/** The key and member that publish, and the scopes that the nodes may use. */
export interface Publisher {
  readonly keyId: string | null;
  /** The member for whom the key acts. */
  readonly member: string | null;
  readonly scopes: readonly string[];
}

/** Publishes the working copy of a locked sequence. A paused sequence stays paused. Returns the updated row. */
export async function publishRow(
  ctx: TransactionContext,
  row: SequenceRow,
  { keyId, member, scopes }: Publisher,
): Promise<SequenceRow> {
  const { trx, now } = ctx;
  const version = await keepVersion(ctx, {
    sequence_id: row.id,
    version: row.version + 1,
    definition: row.definition,
    scopes,
  });
  const after = await sequenceRows.change(trx, row, {
    status: row.status === 'paused' ? 'paused' : 'published',
    version: version.version,
    version_id: version.id,
    draft: false,
    start_key: startKeyOf(row.definition),
    published_by: keyId,
    published_member: member,
    updated_at: now,
  });
  forgetVersionsLater(ctx, row.id);
  await hear(trx, await ctx.services.sequenceVersions.load(trx, version.id), [false, true]);
  return after;
}
