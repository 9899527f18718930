// Adds pending clicks to the sums, in one transaction of one side. Each click counts once, however often this runs.
import type { TransactionContext, WorkspaceHandle } from '../../../core/index.ts';
import type { RecordedClick } from '../clicks/batch.ts';
import { allLinks, type RollupPart, type Sum, sumClicks } from './dimensions.ts';
import { advanceSet, beginSet, endSet, findSet, type PendingSet, readSet, type SetClicks } from './pending.ts';
import { addRollups, addTotals, knownValues, knownVisitors, lockRollUps, storeVisitors } from './store.ts';

/** The first click of each visitor who is new on that day. Bots are not visitors. */
export function firstClicks(clicks: readonly RecordedClick[], known: ReadonlySet<string>): RecordedClick[] {
  const firstByVisitor = new Map<string, RecordedClick>();
  for (const click of clicks)
    if (!click.bot && !known.has(click.visitor) && !firstByVisitor.has(click.visitor))
      firstByVisitor.set(click.visitor, click);
  return [...firstByVisitor.values()];
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

/** The maximum number of clicks in a set. They stay in memory while they are added. */
const maxInSet = 20_000;

/** The result of a roll-up step. */
export interface RollUpResult {
  /** The number of clicks that were added. */
  readonly count: number;
  /** The set in progress; undefined if no click waits. */
  readonly set: PendingSet | undefined;
}

/**
 * Begins a set from the waiting clicks of the handle's side, or adds the next `limit` clicks of the current set to the
 * sums. `read`: the clicks of the set, if the caller has already read them.
 */
export async function rollUp(
  { trx, now, newId }: Pick<TransactionContext, 'trx' | 'now' | 'newId'>,
  { limit, read }: { readonly limit: number; readonly read?: SetClicks | undefined },
): Promise<RollUpResult> {
  // Two concurrent roll-ups would count each other's clicks, so everything is read after the lock.
  await lockRollUps(trx, now);
  const set = await findSet(trx);
  if (set === undefined) return { count: 0, set: await beginSet(trx, { id: newId('lrs'), limit: maxInSet, now }) };
  const setClicks = read?.id === set.id ? read : await readSet((work) => work(trx), set);
  const clicks = setClicks.clicks.slice(set.done, set.done + limit);
  const doneCount = set.done + clicks.length;
  if (doneCount < setClicks.clicks.length) await advanceSet(trx, set, doneCount);
  else await endSet(trx, set);
  if (clicks.length > 0) await addClicks(trx, clicks, now);
  return { count: clicks.length, set };
}

async function addClicks(trx: WorkspaceHandle, clicks: readonly RecordedClick[], now: number): Promise<void> {
  const visitors = [...new Set(clicks.filter(({ bot }) => !bot).map(({ visitor }) => visitor))];
  const uniqueClicks = firstClicks(clicks, await knownVisitors(trx, visitors));
  const uniqueSet = new Set(uniqueClicks);
  const parts = sumClicks(clicks, { isFirst: (click) => uniqueSet.has(click), known: await knownValues(trx, clicks) });
  storeVisitors(trx, uniqueClicks);
  addRollups(trx, parts, now);
  addTotals(trx, totalsOf(clicks, parts), now);
}
