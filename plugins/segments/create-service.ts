// Creates `ctx.services.segments`. Its only state is the counts that this process made in the last minutes.
import type { ReadContext } from '../../core/index.ts';
import { compileFilter } from './compile/index.ts';
import { errors } from './errors.ts';
import { readFacts } from './facts.ts';
import { isTrueFor } from './interpret.ts';
import { resolveFilter } from './named-filters.ts';
import { countContacts, listContacts } from './query.ts';
import { segmentRows } from './segments.ts';
import type { SegmentCount, SegmentsService } from './service.ts';
import { watchRows } from './tables.ts';
import { materialisedAfter } from './watching/store.ts';
import { updateWatches } from './watching/update-watches.ts';

/** The time for which a count is shown before the contacts are counted again, in milliseconds. */
const freshMs = 300_000;
/** The time for which one call may count, in milliseconds. Further segments get an older count, or no count. */
const countingMs = 1_000;
/** The maximum number of counts that a process remembers. */
const maxCounts = 10_000;

interface RememberedCount extends SegmentCount {
  readonly version: number;
}

export function createSegmentsService(): SegmentsService {
  const remembered = new Map<string, RememberedCount>();

  const count = async (ctx: ReadContext, filter: Parameters<SegmentsService['count']>[1]): Promise<number> =>
    countContacts(ctx.trx, await resolveFilter(ctx.trx, filter), ctx.now);

  return {
    async find(handle, segmentId, lock) {
      const row = await segmentRows.findBy(handle, { id: segmentId }, lock);
      if (row === undefined) return undefined;
      const { id, name, filter, version } = row;
      return { id, name, filter, version };
    },
    notFound: (id) => errors.segment_not_found({ id }),
    async contactsOf(ctx, filter, page) {
      const found = await listContacts(ctx.trx, await resolveFilter(ctx.trx, filter), page, ctx.now);
      return found.map(({ id, createdAt }) => ({ id, createdAt }));
    },
    count,
    async freeze(handle, filter) {
      const { named } = await resolveFilter(handle, filter);
      return { filter, named: Object.fromEntries(named) };
    },
    conditionOf: (handle, { filter, named }, now) => compileFilter(handle, filter, new Map(Object.entries(named)), now),
    async contains(ctx, filter, contactId) {
      const { named } = await resolveFilter(ctx.trx, filter);
      const facts = await readFacts(ctx, contactId, filter, named);
      return facts !== undefined && isTrueFor(filter, named, facts);
    },
    async countsOf(ctx, rows) {
      const counts = new Map<string, SegmentCount>();
      const deadline = ctx.ports.now() + countingMs;
      for (const { id, filter, version } of rows) {
        const key = `${id} ${ctx.sandbox}`;
        let rememberedCount = remembered.get(key);
        if (rememberedCount?.version !== version) rememberedCount = undefined;
        if ((rememberedCount === undefined || ctx.now - rememberedCount.at >= freshMs) && ctx.ports.now() < deadline) {
          rememberedCount = { contacts: await count(ctx, filter), at: ctx.now, version };
          remembered.delete(key);
          remembered.set(key, rememberedCount);
          const [oldest] = remembered.keys();
          if (remembered.size > maxCounts && oldest !== undefined) remembered.delete(oldest);
        }
        if (rememberedCount !== undefined) counts.set(id, rememberedCount);
      }
      return counts;
    },
    async filterWatched(handle, segmentIds) {
      const rows = await watchRows.findIn(handle, 'segment_id', segmentIds);
      return new Set(rows.map(({ segment_id: id }) => id));
    },
    updateWatches,
    async materialisedMembers(handle, segmentId, page) {
      const watch = await watchRows.findBy(handle, { segment_id: segmentId });
      return watch === undefined || watch.stored_at === null ? undefined : materialisedAfter(handle, watch.id, page);
    },
  };
}
