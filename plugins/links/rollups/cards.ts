// The cards of analytics, read from sums by day. Their cost grows with the number of days and values, not with clicks. A refresh
// adds the few clicks that are not in the sums yet.
import type { WorkspaceHandle } from '../../../core/index.ts';
import { dayOf, startOf } from '../clicks/salts.ts';
import { utmFields } from '../schema.ts';
import type { AnalyticsCardRow, CardKey } from './card.ts';
import { allLinks, type RollupPart, type Sum, sumClicks } from './dimensions.ts';
import { readPending } from './pending.ts';
import { firstClicks } from './roll-up.ts';
import { knownValues, knownVisitors, sumDays, sumValues, type ValueSum } from './store.ts';

/** The cards that every plan includes. */
export const plainCards: readonly CardKey[] = ['overview', 'timeseries'];

const dimensionOf = {
  countries: 'country',
  cities: 'city',
  referrers: 'referrer',
  devices: 'device',
  browsers: 'browser',
  platforms: 'platform',
  qr: 'qr',
} as const;

/** The maximum number of values in a card. */
const maxRows = 100;
/** The maximum number of clicks that a refresh adds. The roll-up sums any further clicks within seconds. */
const maxPendingClicks = 5_000;
const day = 86_400_000;

/** The cards to read. */
export interface CardRequest {
  /** (Default: all links of the side) */
  readonly linkId: string | undefined;
  readonly days: number;
  readonly now: number;
}

/** Reads the cards of one link, or of all links. */
export interface CardReader {
  read(key: CardKey): Promise<readonly AnalyticsCardRow[]>;
}

const rowOf = ({ value, clicks, uniques, bots }: ValueSum, field?: string): AnalyticsCardRow => ({
  value,
  ...(field === undefined ? {} : { field }),
  clicks,
  unique: uniques,
  bots,
});

/** Adds further sums of the same values; most frequent first. */
function merge(sums: readonly ValueSum[], furtherSums: readonly ValueSum[]): ValueSum[] {
  if (furtherSums.length === 0) return [...sums];
  const merged = new Map<string, Sum>();
  for (const { value, clicks, uniques, bots } of [...sums, ...furtherSums]) {
    const sum = merged.get(value) ?? { clicks: 0, uniques: 0, bots: 0 };
    merged.set(value, { clicks: sum.clicks + clicks, uniques: sum.uniques + uniques, bots: sum.bots + bots });
  }
  return [...merged].map(([value, sum]) => ({ value, ...sum })).sort((a, b) => b.clicks - a.clicks);
}

/** The sums that the waiting clicks would add. */
async function pendingParts(handle: WorkspaceHandle): Promise<RollupPart[]> {
  const clicks = await readPending(handle, maxPendingClicks);
  const visitors = [...new Set(clicks.map(({ visitor }) => visitor))];
  const uniqueClicks = new Set(firstClicks(clicks, await knownVisitors(handle, visitors)));
  return sumClicks(clicks, { isFirst: (click) => uniqueClicks.has(click), known: await knownValues(handle, clicks) });
}

/** A reader of the last `days` days, including today (UTC). */
export async function cardReader(handle: WorkspaceHandle, request: CardRequest, refresh: boolean): Promise<CardReader> {
  const linkId = request.linkId ?? allLinks;
  const today = startOf(dayOf(request.now));
  const firstDay = dayOf(today - (request.days - 1) * day);
  const parts = refresh ? await pendingParts(handle) : [];
  const partsOfLink = parts.filter((part) => part.linkId === linkId && part.day >= firstDay);

  const days = async (): Promise<ValueSum[]> => {
    const pendingSums = partsOfLink
      .filter(({ dimension }) => dimension === 'clicks')
      .map((part) => ({ ...part, value: part.day }));
    const sums = new Map(
      merge(await sumDays(handle, { linkId, since: firstDay }), pendingSums).map((sum) => [sum.value, sum]),
    );
    return Array.from({ length: request.days }, (_, index) => {
      const value = dayOf(today - (request.days - 1 - index) * day);
      return sums.get(value) ?? { value, clicks: 0, uniques: 0, bots: 0 };
    });
  };
  const values = async (dimension: string): Promise<ValueSum[]> => {
    const pendingSums = partsOfLink.filter((part) => part.dimension === dimension);
    return merge(await sumValues(handle, { linkId, dimension, since: firstDay }, maxRows), pendingSums).slice(
      0,
      maxRows,
    );
  };

  return {
    async read(key) {
      if (key === 'timeseries') return (await days()).map((sum) => rowOf(sum));
      if (key === 'overview') {
        const [total] = merge(
          [],
          (await days()).map((sum) => ({ ...sum, value: 'total' })),
        );
        return total === undefined ? [] : [rowOf(total)];
      }
      if (key !== 'utm') return (await values(dimensionOf[key])).map((sum) => rowOf(sum));
      const rows: AnalyticsCardRow[] = [];
      for (const field of utmFields) for (const sum of await values(`utm_${field}`)) rows.push(rowOf(sum, field));
      return rows;
    },
  };
}
