// The segments whose changes start runs or end waits: the entry of `segments.watchers`.
import { type ReadContext, subjectsInterested, type WorkspaceHandle } from '../../../core/index.ts';
import type { SegmentWatcher } from '../../segments/index.ts';
import { segmentEvents, segmentOf } from '../definition/references.ts';
import type { SequenceTrigger } from '../definition/schema.ts';
import { maxSequences } from '../schema.ts';
import { publishedOrPausedSequences } from '../store.ts';
import { consumerId, listensToAllSegments } from '../versions.ts';
import { enrollCurrent } from './enroll-current.ts';

/** A published or paused sequence with a segment as its trigger. */
interface TriggeredSequence {
  readonly id: string;
  readonly segmentId: string;
  readonly trigger: SequenceTrigger;
}

/** The sequences that the changes of segments start. Includes paused sequences, because they may be resumed. */
async function triggeredSequences(ctx: ReadContext): Promise<TriggeredSequence[]> {
  const triggered: TriggeredSequence[] = [];
  for (const { id, version_id: versionId } of await publishedOrPausedSequences(ctx.trx, 2 * maxSequences)) {
    if (versionId === null) continue;
    const { trigger } = (await ctx.services.sequenceVersions.load(ctx.trx, versionId)).definition;
    const segmentId = segmentOf(trigger);
    if (segmentId !== undefined) triggered.push({ id, segmentId, trigger });
  }
  return triggered;
}

/** Whether a version in use listens to the events of every segment. */
async function anyVersionListensToAll({ trx, services }: ReadContext, handle: WorkspaceHandle): Promise<boolean> {
  for (const versionId of await subjectsInterested(handle, consumerId, segmentEvents))
    if (listensToAllSegments(await services.sequenceVersions.load(trx, versionId))) return true;
  return false;
}

export const createSegmentWatcher = (): SegmentWatcher => ({
  async watched(ctx) {
    if (await anyVersionListensToAll(ctx, ctx.trx)) return 'all';
    return new Set((await triggeredSequences(ctx)).map(({ segmentId }) => segmentId));
  },
  async onStored(ctx, segmentId, since) {
    for (const sequence of await triggeredSequences(ctx))
      if (sequence.segmentId === segmentId) enrollCurrent(ctx, sequence, since);
  },
});
