// Compares a watched segment with its stored contacts, a range of contacts at a time. The differences are stored, with
// one event each, in small transactions. An interrupted comparison starts again from the beginning, because changes
// that were stored are no longer differences.
import { defineJob, type JobContext, z } from '../../../core/index.ts';
import { resolveFilter } from '../named-filters.ts';
import { segmentRows } from '../segments.ts';
import { watchRows } from '../tables.ts';
import { compareKind } from '../watching/kinds.ts';
import { type ContactPosition, changedContacts, positionsAfter } from '../watching/store.ts';
import { lockPass, type Pass, storeAndEmitChanges } from '../watching/store-changes.ts';
import { notifyStored } from '../watching/update-watches.ts';

/** The maximum number of contacts that one statement compares. */
const rangeSize = 1_000;
/**
 * The maximum number of changes that one transaction stores. On SQLite, a login code waits for at most one such
 * transaction.
 */
const maxChanges = 250;
/** The time for which a job compares before other jobs get their turn, in milliseconds. */
const turnMs = 20_000;

const payload = z.object({
  segmentId: z.string(),
  /** The position at which the last job of this pass ended. (Default: a new pass) */
  next: z
    .object({ watchId: z.string(), pass: z.int(), after: z.object({ createdAt: z.number(), id: z.string() }) })
    .optional(),
});

/**
 * A comparison that has not continued for this long counts as lost, for example with its job. Another comparison may
 * then begin.
 */
const lostAfterMs = 600_000;

/**
 * The pass to begin or to continue. Undefined if nobody watches the segment any more, if its filter has changed since, or
 * if another comparison is running: a new comparison from the oldest contact would prevent that one from reaching the
 * newest.
 */
const beginPass = (ctx: JobContext, { segmentId, next }: z.output<typeof payload>): Promise<Pass | undefined> =>
  ctx.read(async ({ trx, now }) => {
    const watch = await watchRows.findBy(trx, { segment_id: segmentId });
    const segment = await segmentRows.find(trx, segmentId);
    if (watch === undefined || segment === undefined) return undefined;
    const isUnderWay = watch.continued_at !== null && now - watch.continued_at < lostAfterMs;
    if (next === undefined && isUnderWay) return undefined;
    if (next !== undefined && (next.watchId !== watch.id || next.pass !== watch.pass)) return undefined;
    return { watchId: watch.id, segmentId, pass: watch.pass, filter: await resolveFilter(trx, segment.filter) };
  });

/**
 * Compares the range after a position. Returns the last position of the range; null after the last contact; undefined
 * if the pass has ended.
 */
async function compareRange(
  ctx: JobContext,
  pass: Pass,
  after: ContactPosition | null,
): Promise<ContactPosition | null | undefined> {
  const { positions, changed } = await ctx.read(async ({ trx, now }) => {
    const rangePositions = await positionsAfter(trx, after, rangeSize);
    const last = rangePositions.at(-1);
    if (last === undefined) return { positions: rangePositions, changed: [] };
    return {
      positions: rangePositions,
      changed: await changedContacts(trx, pass.watchId, pass.filter, { after, last }, now),
    };
  });
  for (let from = 0; from < changed.length; from += maxChanges) {
    const ids = changed.slice(from, from + maxChanges);
    if (!(await ctx.checkpoint((tx) => storeAndEmitChanges(tx, pass, ids)))) return undefined;
    ctx.ports.phase('segments.changes_stored', pass.watchId);
  }
  return positions.length < rangeSize ? null : (positions.at(-1) ?? null);
}

export const compareSegmentJob = defineJob({
  kind: compareKind,
  payload,
  lane: 'bulk',
  timeoutMs: 300_000,

  async handler(ctx, input) {
    const { segmentId, next } = input;
    const pass = await beginPass(ctx, input);
    if (pass === undefined) return ctx.complete();
    const deadline = ctx.ports.now() + turnMs;
    let after: ContactPosition | null = next?.after ?? null;
    for (;;) {
      ctx.signal.throwIfAborted();
      const position: ContactPosition | null | undefined = await compareRange(ctx, pass, after);
      if (position === undefined) return ctx.complete();
      after = position;
      if (after === null) break;
      if (ctx.ports.now() < deadline) continue;
      const { watchId, pass: number } = pass;
      const nextPayload = { segmentId, next: { watchId, pass: number, after } };
      return ctx.complete(async ({ enqueue, trx, now }) => {
        if ((await lockPass(trx, pass)) === undefined) return;
        await watchRows.update(trx, watchId, { continued_at: now });
        enqueue({ kind: compareKind, payload: nextPayload, key: `${segmentId} next` });
      });
    }
    return ctx.complete(async (tx) => {
      const watch = await lockPass(tx.trx, pass);
      if (watch === undefined) return;
      if (watch.continued_at !== null) await watchRows.update(tx.trx, watch.id, { continued_at: null });
      if (watch.stored_at !== null) return;
      await watchRows.update(tx.trx, watch.id, { stored_at: tx.now });
      if (watch.pass > 1) await notifyStored(tx, watch);
    });
  },
});
