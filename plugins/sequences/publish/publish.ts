// Creates a version from the working copy and registers its events.
import { isDeepStrictEqual } from 'node:util';
import { onSide, type TransactionContext } from '../../../core/index.ts';
import { removeInterestsLater } from '../jobs/remove-interests.ts';
import { enrollCurrent } from '../segments/enroll-current.ts';
import { type SequenceRow, sequenceRows } from '../tables.ts';
import { findOrCreateVersion, registerInterests, startKeyOf, updateWatches } from '../versions.ts';

/** The key and member that publish, and the scopes that the nodes may use. */
export interface Publisher {
  readonly keyId: string | null;
  /** The member for whom the key acts. */
  readonly member: string | null;
  readonly scopes: readonly string[];
  /** The maximum number of contacts of a segment to enrol at once. The leash has already counted them. (Default: no limit) */
  readonly atMost?: number;
}

/** Publishes the working copy of a locked sequence. A paused sequence stays paused. Returns the updated row. */
export async function publishRow(
  ctx: TransactionContext,
  row: SequenceRow,
  { keyId, member, scopes, atMost }: Publisher,
): Promise<SequenceRow> {
  const { trx, now } = ctx;
  const { sequenceVersions } = ctx.services;
  const earlierVersion = row.version_id === null ? undefined : await sequenceVersions.load(trx, row.version_id);
  const version = await findOrCreateVersion(ctx, {
    sequence_id: row.id,
    version: row.version + 1,
    definition: row.definition,
    scopes,
  });
  const changedRow = await sequenceRows.change(trx, row, {
    status: row.status === 'paused' ? 'paused' : 'published',
    version: version.version,
    version_id: version.id,
    draft: false,
    start_key: startKeyOf(row.definition),
    published_by: keyId,
    published_member: member,
    updated_at: now,
  });
  removeInterestsLater(ctx, row.id);
  await registerInterests(trx, await sequenceVersions.load(trx, version.id), [false, true]);
  await updateWatches(ctx);
  // Current contacts are enrolled only when the trigger has changed, not with each version.
  if (!isDeepStrictEqual(earlierVersion?.definition.trigger, row.definition.trigger))
    for (const sandbox of ctx.sandbox ? [true] : [false, true])
      enrollCurrent(onSide(ctx, sandbox), { id: row.id, trigger: row.definition.trigger }, 0, atMost);
  return changedRow;
}
