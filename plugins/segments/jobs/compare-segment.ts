// Compares a watched segment with its stored contacts, a range of contacts at a time. The differences are stored, with one event
// each, in small transactions. An interrupted comparison starts again, because stored changes no longer differ.
import { defineJob, type JobContext, z } from '../../../core/index.ts';
import { resolveFilter } from '../named-filters.ts';
import { segmentRows } from '../segments.ts';
import { watchRows } from '../tables.ts';
import { compareKind } from '../watching/kinds.ts';
import { type ContactPosition, changedContacts, positionsAfter } from '../watching/store.ts';
import { lockPass, type Pass, tellChanges } from '../watching/store-changes.ts';
import { tellStored } from '../watching/update-watches.ts';

/** How many contacts one statement compares. */
const inRange = 1_000;
/** How many changes one transaction stores. On SQLite, a login code waits for at most one such transaction. */
const inTransaction = 250;
/** How long a job compares before other jobs get their turn, in milliseconds. */
const turnMs = 20_000;

const payload = z.object({
  segmentId: z.string(),
  /** Where the last job of this pass ended. (Default: a new pass) */
  next: z
    .object({ watchId: z.string(), pass: z.int(), after: z.object({ createdAt: z.number(), id: z.string() }) })
    .optional(),
});

/** A comparison that has not continued for this long was lost, for example with its job. Another one may begin. */
const lostAfterMs = 600_000;

/**
 * The pass to make or to continue. Undefined if the segment is not watched any more, if its filter has changed since, or if
 * another comparison is under way: beginning again from the oldest contact would keep that one from reaching the newest.
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

/** Compares the range after a position. Returns where it ended; null after the last contact, undefined if the pass is over. */
async function compareRange(
  ctx: JobContext,
  pass: Pass,
  after: ContactPosition | null,
): Promise<ContactPosition | null | undefined> {
  const { positions, changed } = await ctx.read(async ({ trx, now }) => {
    const found = await positionsAfter(trx, after, inRange);
    const last = found.at(-1);
    if (last === undefined) return { positions: found, changed: [] };
    return { positions: found, changed: await changedContacts(trx, pass.watchId, pass.filter, { after, last }, now) };
  });
  for (let from = 0; from < changed.length; from += inTransaction) {
    const ids = changed.slice(from, from + inTransaction);
    if (!(await ctx.checkpoint((tx) => tellChanges(tx, pass, ids)))) return undefined;
    ctx.ports.phase('segments.told', pass.watchId);
  }
  return positions.length < inRange ? null : (positions.at(-1) ?? null);
}

export const compareSegmentJob = defineJob({
  kind: compareKind,
  payload,
  lane: 'bulk',
  timeoutMs: 300_000,

  async handler(ctx, given) {
    const { segmentId, next } = given;
    const pass = await beginPass(ctx, given);
    if (pass === undefined) return ctx.complete();
    const until = ctx.ports.now() + turnMs;
    let after: ContactPosition | null = next?.after ?? null;
    for (;;) {
      ctx.signal.throwIfAborted();
      const reached: ContactPosition | null | undefined = await compareRange(ctx, pass, after);
      if (reached === undefined) return ctx.complete();
      after = reached;
      if (after === null) break;
      if (ctx.ports.now() < until) continue;
      const { watchId, pass: number } = pass;
      const rest = { segmentId, next: { watchId, pass: number, after } };
      return ctx.complete(async ({ enqueue, trx, now }) => {
        if ((await lockPass(trx, pass)) === undefined) return;
        await watchRows.update(trx, watchId, { continued_at: now });
        enqueue({ kind: compareKind, payload: rest, key: `${segmentId} next` });
      });
    }
    return ctx.complete(async (tx) => {
      const watch = await lockPass(tx.trx, pass);
      if (watch === undefined) return;
      if (watch.continued_at !== null) await watchRows.update(tx.trx, watch.id, { continued_at: null });
      if (watch.stored_at !== null) return;
      await watchRows.update(tx.trx, watch.id, { stored_at: tx.now });
      if (watch.pass > 1) await tellStored(tx, watch);
    });
  },
});
