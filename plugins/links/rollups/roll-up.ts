// Adds pending clicks to the sums, in one transaction of one side: each click counts once, however often this runs.
import type { Effects } from '../../../core/index.ts';
import type { ClickRow } from '../tables.ts';
import type { RollupPart, Sum } from './dimensions.ts';
import { allLinks, sumClicks } from './dimensions.ts';
import {
  addRollups,
  addTotals,
  keepVisitors,
  knownValues,
  knownVisitors,
  listPending,
  lockRollUps,
  settlePending,
} from './store.ts';

/** The first click of each visitor whom the day has not had; bots are no visitors. */
export function firstClicks(clicks: readonly ClickRow[], known: ReadonlySet<string>): ClickRow[] {
  const first = new Map<string, ClickRow>();
  for (const click of clicks)
    if (!click.bot && !known.has(click.visitor) && !first.has(click.visitor)) first.set(click.visitor, click);
  return [...first.values()];
}

/** The sums of each link over all days. */
function totalsOf(
  clicks: readonly ClickRow[],
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
  for (const { bot, link_id, created_at } of clicks) {
    const total = totals.get(link_id);
    if (!bot && total !== undefined) total.lastAt = Math.max(total.lastAt ?? 0, created_at);
  }
  return totals;
}

/** A part of the clicks that wait. */
export interface RollUpPart {
  /** The link with which it begins; `''` is before the first. */
  readonly from: string;
  /** At most so many clicks. */
  readonly limit: number;
}

/** What was rolled up: fewer clicks than `limit` mean that none is left from `last` on. */
export interface RolledUp {
  readonly count: number;
  /** The link of the last click. */
  readonly last: string;
}

/** Rolls up a part of the clicks of the handle's side that wait. */
export async function rollUp(
  { trx, now }: Pick<Effects, 'trx' | 'now'>,
  { from, limit }: RollUpPart,
): Promise<RolledUp> {
  // Two roll-ups at a time would count each other's clicks. Everything is read after the lock.
  await lockRollUps(trx, now);
  const clicks = await listPending(trx, from, limit);
  const last = clicks.at(-1)?.link_id;
  if (last === undefined) return { count: 0, last: from };
  const visitors = [...new Set(clicks.filter(({ bot }) => !bot).map(({ visitor }) => visitor))];
  const first = firstClicks(clicks, await knownVisitors(trx, visitors));
  const firstIds = new Set(first.map(({ id }) => id));
  const known = await knownValues(trx, clicks);
  const parts = sumClicks(clicks, { isFirst: ({ id }) => firstIds.has(id), known });
  await settlePending(trx, clicks);
  keepVisitors(trx, first);
  addRollups(trx, parts, now);
  addTotals(trx, totalsOf(clicks, parts), now);
  return { count: clicks.length, last };
}
