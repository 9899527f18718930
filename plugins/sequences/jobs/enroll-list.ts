// Enrols the confirmed members of a list, 25 per transaction, in the order of their ids. If the job is interrupted, it continues after
// the last enrolled member.
import { defineJob, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import { enterSequence } from '../engine/enter-sequence.ts';
import { confirmedAfter } from '../store.ts';
import { type EnrollmentRow, enrollmentRows, sequenceHeads } from '../tables.ts';
import { recordCounts } from '../tallies.ts';
import { enrollListKind } from './kinds.ts';

/**
 * The maximum number of contacts that one transaction enrols. On SQLite, a login code waits for at most one such
 * transaction.
 */
const batch = 25;
/** The maximum number of batches of one job. Then other jobs may run. */
const maxBatchesPerJob = 80;

/** Enrols the next members. Returns whether there are more. */
async function enrollSome(ctx: JobContext, tx: TransactionContext, id: string): Promise<boolean> {
  const { trx, now } = tx;
  const row = await enrollmentRows.lock(trx, id);
  if (row?.status !== 'running') return false;
  const sequence = await sequenceHeads.find(trx, row.sequence_id);
  const isOpen = sequence?.status === 'published' || sequence?.status === 'draft';
  if (sequence === undefined || !isOpen) return end(tx, row, 'canceled');
  const batchSize = Math.min(batch, row.at_most ?? batch);
  const ids = batchSize === 0 ? [] : await confirmedAfter(trx, row.list_id, row.after_contact ?? '', batchSize);
  const contacts = await ctx.services.contacts.read(trx, ids);
  const version = await ctx.services.sequenceVersions.load(trx, row.version_id);
  const entrance = { sequence, version, variables: row.variables, enrollmentId: id, lane: 'bulk' } as const;
  const results = [...(await enterSequence(tx, entrance, contacts)).values()];
  const countOf = (kind: string) => results.filter((one) => one.kind === kind).length;
  const refusedCounts = { entered_too_often: countOf('too often'), contact_not_found: ids.length - contacts.length };
  for (const [reason, skipped] of Object.entries(refusedCounts))
    if (skipped > 0) recordCounts(tx, sequence.id, id, { skipped, reason });
  const isLast = ids.length < batchSize || ids.length === row.at_most || batchSize === 0;
  await enrollmentRows.update(trx, id, {
    enrolled: row.enrolled + countOf('enrolled'),
    already_enrolled: row.already_enrolled + countOf('already'),
    at_most: row.at_most === null ? null : row.at_most - ids.length,
    after_contact: ids.at(-1) ?? row.after_contact,
    ...(isLast ? { status: 'completed' as const, finished_at: now } : {}),
  });
  return !isLast;
}

async function end({ trx, now }: TransactionContext, row: EnrollmentRow, status: 'canceled'): Promise<false> {
  await enrollmentRows.update(trx, row.id, { status, finished_at: now });
  return false;
}

export const enrollListJob = defineJob({
  kind: enrollListKind,
  payload: z.object({ enrollmentId: z.string() }),
  lane: 'bulk',

  async handler(ctx, { enrollmentId }) {
    for (let turn = 0; turn < maxBatchesPerJob; turn += 1) {
      ctx.signal.throwIfAborted();
      const more = await ctx.checkpoint((tx) => enrollSome(ctx, tx, enrollmentId));
      ctx.ports.phase('sequences.batch_enrolled', enrollmentId);
      if (!more) return ctx.complete();
    }
    return ctx.complete(async ({ enqueue }) => {
      enqueue({ kind: enrollListKind, payload: { enrollmentId }, key: enrollmentId });
    });
  },

  async exhausted({ trx, now }, { enrollmentId }) {
    const error = 'The contacts could not be enrolled: the log of the service says why.';
    const failed = { status: 'failed', error, finished_at: now } as const;
    await enrollmentRows.update(trx, enrollmentId, failed, { status: 'running' });
  },
});
