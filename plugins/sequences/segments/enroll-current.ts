// Enrols the contacts that are in a segment when a sequence for the segment is published, or when its filter changes: the
// contacts that are stored in the watched segment, in the order of their ids. Leaves out contacts that the segment's events have
// enrolled meanwhile.
import { defineJob, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import type { SegmentsService } from '../../segments/index.ts';
import { segmentOf } from '../definition/references.ts';
import type { SequenceTrigger } from '../definition/schema.ts';
import { enterSequence } from '../engine/enter-sequence.ts';
import { earlierRuns } from '../store.ts';
import { sequenceHeads } from '../tables.ts';
import { defaultVariables } from '../versions.ts';

const enrollCurrentKind = 'sequences.enroll_segment';

/** How many contacts one transaction enrols. On SQLite, a login code waits for at most one such transaction. */
const batch = 25;
/** How many batches one job makes before other jobs get their turn. */
const batchesInTurn = 80;
/** How long the job waits for a segment whose contacts are still being stored. */
const waitMs = 2_000;

const payload = z.object({
  sequenceId: z.string(),
  segmentId: z.string(),
  /** Only contacts that were stored from this time on. 0 for all. */
  since: z.number(),
  /** Contacts with a run that began later are left out. */
  begunAt: z.number(),
  after: z.string(),
  /** How many more contacts may be enrolled: the number that the leash has counted. Null: no limit. */
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
  const begins: Payload = { sequenceId, segmentId, since, begunAt: now, after: '', atMost };
  enqueue({ kind: enrollCurrentKind, payload: begins, sandbox });
}

/**
 * Enrols the next contacts. Returns where to continue: the same position if the contacts are still being stored, null at the end.
 */
async function enrollSome(ctx: JobContext, tx: TransactionContext, at: Payload): Promise<Payload | null> {
  const { trx } = tx;
  const sequence = await sequenceHeads.find(trx, at.sequenceId);
  if (sequence?.status !== 'published' || sequence.version_id === null) return null;
  const version = await ctx.services.sequenceVersions.load(trx, sequence.version_id);
  const { trigger } = version.definition;
  if (segmentOf(trigger) !== at.segmentId || !includesCurrent(trigger)) return null;
  const segments: SegmentsService | undefined = ctx.services.segments;
  const limit = Math.min(batch, at.atMost ?? batch);
  const segment = await segments?.find(trx, at.segmentId);
  if (segments === undefined || segment === undefined || limit === 0) return null;
  const ids = await segments.materialisedMembers(trx, at.segmentId, { after: at.after, since: at.since, limit });
  if (ids === undefined) return at;
  const earlier = await earlierRuns(trx, sequence.id, ids, at.begunAt - 1);
  const enrolled = new Set(earlier.filter((run) => run.started_at >= at.begunAt).map((run) => run.contact_id));
  const contacts = await ctx.services.contacts.read(
    trx,
    ids.filter((id) => !enrolled.has(id)),
  );
  const about = { segmentId: segment.id, name: segment.name };
  const events = new Map(
    contacts.map(({ id, external_id, email }) => [
      id,
      {
        id: null,
        type: 'segment.entered',
        at: tx.now,
        metadata: null,
        data: { segment: about, contact: { id, external_id, email } },
      },
    ]),
  );
  await enterSequence(tx, { sequence, version, variables: defaultVariables(version), events, lane: 'bulk' }, contacts);
  const last = ids.at(-1);
  if (last === undefined || ids.length < limit) return null;
  return { ...at, after: last, atMost: at.atMost === null ? null : at.atMost - ids.length };
}

export const enrollCurrentJob = defineJob({
  kind: enrollCurrentKind,
  payload,
  lane: 'bulk',

  async handler(ctx, given) {
    let at: Payload = given;
    for (let turn = 0; turn < batchesInTurn; turn += 1) {
      ctx.signal.throwIfAborted();
      const from = at;
      const next = await ctx.checkpoint((tx) => enrollSome(ctx, tx, from));
      ctx.ports.phase('sequences.segment_batch_enrolled', given.sequenceId);
      if (next === null) return ctx.complete();
      at = next;
      if (next === from) break;
    }
    return ctx.complete(async ({ enqueue, now }) => {
      enqueue({ kind: enrollCurrentKind, payload: at, ...(at.after === given.after ? { runAt: now + waitMs } : {}) });
    });
  },
});
