// Adds pending clicks to the sums, in one transaction of one side: each click counts once, however often this runs.
import type { Effects } from '../../../core/index.ts';
import type { RecordedClick } from '../clicks/batch.ts';
import type { RollupPart, Sum } from './dimensions.ts';
import { allLinks, sumClicks } from './dimensions.ts';
import type { PendingSet } from './pending.ts';
import { advanceSet, beginSet, findSet } from './pending.ts';
import { addRollups, addTotals, keepVisitors, knownValues, knownVisitors, lockRollUps } from './store.ts';

/** The first click of each visitor whom the day has not had; bots are no visitors. */
export function firstClicks(clicks: readonly RecordedClick[], known: ReadonlySet<string>): RecordedClick[] {
  const first = new Map<string, RecordedClick>();
  for (const click of clicks)
    if (!click.bot && !known.has(click.visitor) && !first.has(click.visitor)) first.set(click.visitor, click);
  return [...first.values()];
}

/** The sums of each link over all days. */
function totalsOf(
  clicks: readonly RecordedClick[],
  parts: readonly RollupPart[],
): Map<string, Sum & { lastAt: number | null }> {
  const totals = new Map<string, Sum & { lastAt: number | null }>();
  for (const { linkId, dimension, clicks: people, uniques, bots } of parts) {
    if (dimension !== 'clicks' || linkId === allLinks) continue;
    const total = totals.get(linkId) ?? { clicks: 0, uniques: 0, bots: 0, lastAt: null };
    total.clicks += people;
    total.uniques += uniques;
    total.bots += bots;
    totals.set(linkId, total);
  }
  for (const { bot, linkId, at } of clicks) {
    const total = totals.get(linkId);
    if (!bot && total !== undefined) total.lastAt = Math.max(total.lastAt ?? 0, at);
  }
  return totals;
}

/** A set of batches has at most so many clicks, which are held in memory while they are added. */
const mostInSet = 20_000;

/** What was rolled up. */
export interface RolledUp {
  /** How many clicks. */
  readonly count: number;
  /** The set whose clicks were added, for the next part; undefined when no click waits. */
  readonly set: PendingSet | undefined;
}

/**
 * Adds the next `limit` clicks of the handle's side to the sums: those of the set that is under way, or of a new one. `known`: the set
 * of the part before.
 */
export async function rollUp(
  { trx, now, newId }: Pick<Effects, 'trx' | 'now' | 'newId'>,
  { limit, known }: { readonly limit: number; readonly known?: PendingSet | undefined },
): Promise<RolledUp> {
  // Two roll-ups at a time would count each other's clicks. Everything is read after the lock.
  await lockRollUps(trx, now);
  const set = (await findSet(trx, known)) ?? (await beginSet(trx, { id: newId('lrs'), limit: mostInSet, now }));
  if (set === undefined) return { count: 0, set };
  const clicks = set.clicks.slice(set.done, set.done + limit);
  await advanceSet(trx, set, set.done + clicks.length);
  if (clicks.length === 0) return { count: 0, set };
  const visitors = [...new Set(clicks.filter(({ bot }) => !bot).map(({ visitor }) => visitor))];
  const first = firstClicks(clicks, await knownVisitors(trx, visitors));
  const isFirst = new Set(first);
  const parts = sumClicks(clicks, { isFirst: (click) => isFirst.has(click), known: await knownValues(trx, clicks) });
  keepVisitors(trx, first);
  addRollups(trx, parts, now);
  addTotals(trx, totalsOf(clicks, parts), now);
  return { count: clicks.length, set };
}
