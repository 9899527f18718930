// The segments whose changes start runs or end waits: the entry of `segments.watchers`.
import { type ReadContext, subjectsInterested, type WorkspaceHandle } from '../../../core/index.ts';
import type { SegmentWatcher } from '../../segments/index.ts';
import { segmentEvents, segmentOf } from '../definition/references.ts';
import type { SequenceTrigger } from '../definition/schema.ts';
import { maxSequences } from '../schema.ts';
import { publishedOrPausedSequences } from '../store.ts';
import { consumerId, hearsAllSegments } from '../versions.ts';
import { enrollCurrent } from './enroll-current.ts';

/** A published or paused sequence with a segment as its trigger. */
interface Triggered {
  readonly id: string;
  readonly segmentId: string;
  readonly trigger: SequenceTrigger;
}

/** The sequences that the changes of segments start. Includes paused sequences, because they may be resumed. */
async function triggeredSequences(ctx: ReadContext): Promise<Triggered[]> {
  const found: Triggered[] = [];
  for (const { id, version_id: versionId } of await publishedOrPausedSequences(ctx.trx, 2 * maxSequences)) {
    if (versionId === null) continue;
    const { trigger } = (await ctx.services.sequenceVersions.load(ctx.trx, versionId)).definition;
    const segmentId = segmentOf(trigger);
    if (segmentId !== undefined) found.push({ id, segmentId, trigger });
  }
  return found;
}

/** Whether a version in use listens to the events of every segment. */
async function hearsAll({ trx, services }: ReadContext, handle: WorkspaceHandle): Promise<boolean> {
  for (const versionId of await subjectsInterested(handle, consumerId, segmentEvents))
    if (hearsAllSegments(await services.sequenceVersions.load(trx, versionId))) return true;
  return false;
}

export const createSegmentWatcher = (): SegmentWatcher => ({
  async watched(ctx) {
    if (await hearsAll(ctx, ctx.trx)) return 'all';
    return new Set((await triggeredSequences(ctx)).map(({ segmentId }) => segmentId));
  },
  async stored(ctx, segmentId, since) {
    for (const one of await triggeredSequences(ctx)) if (one.segmentId === segmentId) enrollCurrent(ctx, one, since);
  },
});
