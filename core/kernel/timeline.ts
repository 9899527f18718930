// Merges the timeline sources of the composed plugins into ctx.ports.timeline. Made by container.ts.

import type { TimelineEntry, TimelinePort, TimelineSource } from '../contract/declaration/timeline.ts';
import { toIsoTime } from '../contract/schemas/fields.ts';
import type { Core } from '../pipeline/core.ts';
import { readContextOf } from '../pipeline/read-context.ts';

interface EntryOfKind {
  readonly kind: string;
  readonly entry: TimelineEntry;
}

/** Newest first; entries with the same time are in descending order of their ids. */
function newestFirst({ entry: first }: EntryOfKind, { entry: second }: EntryOfKind): number {
  if (first.createdAt !== second.createdAt) return second.createdAt - first.createdAt;
  return first.id < second.id ? 1 : first.id > second.id ? -1 : 0;
}

/** Makes the port; `core` is called at the first use. */
export function createTimeline(sources: readonly TimelineSource[], core: () => Core): TimelinePort {
  return {
    async read(handle, subject, { limit, after, holds = () => true }) {
      // Each source reads one entry more than a page: the result then has the first entries of all sources, and shows whether
      // more exist.
      const readLimit = { limit: limit + 1, after };
      const ctx = readContextOf(core(), handle, core().ports.now());
      const entriesOfSources = await Promise.all(
        sources
          .filter(({ scope }) => scope === undefined || holds(scope))
          .map(async ({ kind, list }) => (await list(ctx, subject, readLimit)).map((entry) => ({ kind, entry }))),
      );
      const merged = entriesOfSources.flat().sort(newestFirst);
      const pageEntries = merged.slice(0, limit);
      const items = pageEntries.map(({ kind, entry: { id, createdAt, fields } }) => ({
        ...fields,
        kind,
        id,
        ts: toIsoTime(createdAt),
      }));
      const last = pageEntries.at(-1)?.entry;
      const hasMore = merged.length > limit && last !== undefined;
      return { items, next: hasMore ? { createdAt: last.createdAt, id: last.id } : undefined };
    },
  };
}
