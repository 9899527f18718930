// Enrols the contacts in a segment when a sequence for the segment is published, or when the segment's filter changes:
// the contacts that are stored in the watched segment, in the order of their ids. Leaves out contacts that events of
// the segment have already enrolled.
import { defineJob, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import type { SegmentsService } from '../../segments/index.ts';
import { segmentOf } from '../definition/references.ts';
import type { SequenceTrigger } from '../definition/schema.ts';
import { enterSequence } from '../engine/enter-sequence.ts';
import { earlierRuns } from '../store.ts';
import { sequenceHeads } from '../tables.ts';
import { defaultVariables } from '../versions.ts';

const enrollCurrentKind = 'sequences.enroll_segment';

/**
 * The maximum number of contacts that one transaction enrols. On SQLite, a login code waits for at most one such
 * transaction.
 */
const batch = 25;
/** The maximum number of batches of one job. Then other jobs may run. */
const maxBatchesPerJob = 80;
/** The time for which the job waits if the contacts of the segment are still being stored, in milliseconds. */
const waitMs = 2_000;

const payload = z.object({
  sequenceId: z.string(),
  segmentId: z.string(),
  /** The time from which contacts must have been stored to be enrolled. 0: all contacts. */
  since: z.number(),
  /** Contacts with a run that began after this time are left out. */
  begunAt: z.number(),
  after: z.string(),
  /** The number of contacts that may still be enrolled. The leash has already counted them. Null: no limit. */
  atMost: z.int().nullable(),
});
type Payload = z.output<typeof payload>;

const includesCurrent = (trigger: SequenceTrigger): boolean =>
  trigger.kind === 'segment_entered' && trigger.includeCurrent === true;

/** Enqueues the job on the sides that the context reaches, if the trigger asks for it. */
export function enrollCurrent(
  { enqueue, now, sandbox }: TransactionContext,
  { id: sequenceId, trigger }: { readonly id: string; readonly trigger: SequenceTrigger },
  since: number,
  atMost: number | null = null,
): void {
  const segmentId = segmentOf(trigger);
  if (segmentId === undefined || !includesCurrent(trigger)) return;
  const firstPayload: Payload = { sequenceId, segmentId, since, begunAt: now, after: '', atMost };
  enqueue({ kind: enrollCurrentKind, payload: firstPayload, sandbox });
}

/**
 * Enrols the next contacts. Returns the position at which to continue: the same position while the contacts are still
 * being stored, null at the end.
 */
async function enrollSome(ctx: JobContext, tx: TransactionContext, position: Payload): Promise<Payload | null> {
  const { trx } = tx;
  const sequence = await sequenceHeads.find(trx, position.sequenceId);
  if (sequence?.status !== 'published' || sequence.version_id === null) return null;
  const version = await ctx.services.sequenceVersions.load(trx, sequence.version_id);
  const { trigger } = version.definition;
  if (segmentOf(trigger) !== position.segmentId || !includesCurrent(trigger)) return null;
  const segments: SegmentsService | undefined = ctx.services.segments;
  const limit = Math.min(batch, position.atMost ?? batch);
  const segment = await segments?.find(trx, position.segmentId);
  if (segments === undefined || segment === undefined || limit === 0) return null;
  const ids = await segments.materialisedMembers(trx, position.segmentId, {
    after: position.after,
    since: position.since,
    limit,
  });
  if (ids === undefined) return position;
  const earlier = await earlierRuns(trx, sequence.id, ids, position.begunAt - 1);
  const enrolled = new Set(earlier.filter((run) => run.started_at >= position.begunAt).map((run) => run.contact_id));
  const contacts = await ctx.services.contacts.read(
    trx,
    ids.filter((id) => !enrolled.has(id)),
  );
  const segmentData = { segmentId: segment.id, name: segment.name };
  const events = new Map(
    contacts.map(({ id, external_id, email }) => [
      id,
      {
        id: null,
        type: 'segment.entered',
        at: tx.now,
        metadata: null,
        data: { segment: segmentData, contact: { id, external_id, email } },
      },
    ]),
  );
  await enterSequence(tx, { sequence, version, variables: defaultVariables(version), events, lane: 'bulk' }, contacts);
  const last = ids.at(-1);
  if (last === undefined || ids.length < limit) return null;
  return { ...position, after: last, atMost: position.atMost === null ? null : position.atMost - ids.length };
}

export const enrollCurrentJob = defineJob({
  kind: enrollCurrentKind,
  payload,
  lane: 'bulk',

  async handler(ctx, input) {
    let at: Payload = input;
    for (let turn = 0; turn < maxBatchesPerJob; turn += 1) {
      ctx.signal.throwIfAborted();
      const from = at;
      const next = await ctx.checkpoint((tx) => enrollSome(ctx, tx, from));
      ctx.ports.phase('sequences.segment_batch_enrolled', input.sequenceId);
      if (next === null) return ctx.complete();
      at = next;
      if (next === from) break;
    }
    return ctx.complete(async ({ enqueue, now }) => {
      enqueue({ kind: enrollCurrentKind, payload: at, ...(at.after === input.after ? { runAt: now + waitMs } : {}) });
    });
  },
});
