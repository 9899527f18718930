// SQL of roll-ups: visitors of the day and sums. All statements run on one side of a workspace.
import { defineStatement, filledList, type WorkspaceHandle } from '../../../core/index.ts';
import type { RecordedClick } from '../clicks/batch.ts';
import { type RollupRow, rollupRows, totalsRows, visitorRows } from '../tables.ts';
import {
  allLinks,
  groupOf,
  type KnownValues,
  type RollupPart,
  type Sum,
  serviceValues,
  visitorValueGroups,
} from './dimensions.ts';

/** The number of visitors in one look-up. It is fixed, so that the statement is compiled once. */
const visitorsInLookUp = 256;
const parameterNames = Array.from({ length: visitorsInLookUp }, (_, index) => `visitor_${index}`);

const visitorsAmong = defineStatement((db, p: Readonly<Record<string, string>>) =>
  db
    .selectFrom('link_visitors')
    .select('visitor')
    .where(
      'visitor',
      'in',
      parameterNames.map((name) => p[name] as string),
    ),
);

/** The visitors among these whose first click of the day is already stored. */
export async function knownVisitors(handle: WorkspaceHandle, visitors: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let from = 0; from < visitors.length; from += visitorsInLookUp) {
    const parameters: Record<string, string> = Object.create(null);
    for (const [index, name] of parameterNames.entries())
      parameters[name] = visitors[from + index] ?? visitors[from] ?? '';
    for (const { visitor } of await handle.all(visitorsAmong, parameters)) known.add(visitor);
  }
  return known;
}

/**
 * The stored values of the days, in dimensions whose values clients can make up. It reads only the links, days and
 * dimensions to which these clicks add values, because the number of values for each day is limited.
 */
export async function knownValues({ db }: WorkspaceHandle, clicks: readonly RecordedClick[]): Promise<KnownValues> {
  const groups = visitorValueGroups(clicks);
  const known = new Map<string, Set<string>>();
  if (groups.length === 0) return known;
  const rows = await db
    .selectFrom('link_rollups')
    .select(['link_id', 'dimension', 'day', 'value'])
    .where('link_id', 'in', filledList([...new Set(groups.map(({ linkId }) => linkId))]))
    .where('dimension', 'in', filledList([...new Set(groups.map(({ dimension }) => dimension))]))
    .where('day', 'in', filledList([...new Set(groups.map(({ day }) => day))]))
    .execute();
  for (const { link_id: linkId, dimension, day, value } of rows) {
    if (serviceValues.has(value)) continue;
    const group = groupOf({ linkId, dimension, day });
    const values = known.get(group);
    if (values === undefined) known.set(group, new Set([value]));
    else values.add(value);
  }
  return known;
}

/** Stores visitors until the day is over. */
export function storeVisitors(trx: WorkspaceHandle, clicks: readonly RecordedClick[]): void {
  const rows = clicks.map(({ visitor, at }) => ({ visitor, created_at: at }));
  visitorRows.deferUnlessTaken(trx, rows, ['visitor']);
}

const sumKey = ['link_id', 'dimension', 'day', 'value'] as const;

const rollupOf = ({ linkId, ...part }: RollupPart, now: number): RollupRow => ({
  link_id: linkId,
  dimension: part.dimension,
  day: part.day,
  value: part.value,
  clicks: part.clicks,
  uniques: part.uniques,
  bots: part.bots,
  created_at: now,
});

/** The row that a roll-up locks. No dimension of clicks has this name. */
const lockPart: RollupPart = {
  linkId: allLinks,
  dimension: 'lock',
  day: '',
  value: '',
  clicks: 0,
  uniques: 0,
  bots: 0,
};

/** Waits for a running roll-up of this side, then blocks other roll-ups until the transaction ends. */
export const lockRollUps = (trx: WorkspaceHandle, now: number): Promise<void> =>
  rollupRows.upsertAndLock(trx, [rollupOf(lockPart, now)], sumKey);

const compareTexts = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** Adds sums in the order of their keys, so that two transactions that add to the same rows lock them in the same order. */
export function addRollups(trx: WorkspaceHandle, parts: readonly RollupPart[], now: number): void {
  const sorted = [...parts].sort(
    (a, b) =>
      compareTexts(a.linkId, b.linkId) ||
      compareTexts(a.dimension, b.dimension) ||
      compareTexts(a.day, b.day) ||
      compareTexts(a.value, b.value),
  );
  const rows = sorted.map((part) => rollupOf(part, now));
  rollupRows.deferAddAll(trx, rows, sumKey, ['clicks', 'uniques', 'bots']);
}

/** Adds to the counts of links. The latest click of the batch is stored as the link's last click. */
export function addTotals(
  trx: WorkspaceHandle,
  totals: ReadonlyMap<string, Sum & { lastAt: number | null }>,
  now: number,
): void {
  const rows = [...totals.keys()].sort().map((linkId) => {
    const { clicks = 0, uniques = 0, bots = 0, lastAt = null } = totals.get(linkId) ?? {};
    return { link_id: linkId, clicks, uniques, bots, last_at: lastAt, created_at: now };
  });
  totalsRows.deferAddAll(trx, rows, ['link_id'], ['clicks', 'uniques', 'bots'], ['last_at']);
}

/** The sums to read. */
export interface SumRequest {
  readonly linkId: string;
  readonly dimension: string;
  /** YYYY-MM-DD: the first day to include. */
  readonly since: string;
}

/** The sum of a value or of a day. */
export interface ValueSum extends Sum {
  readonly value: string;
}

/** The values of a dimension, most frequent first. */
export async function sumValues(
  { db }: WorkspaceHandle,
  { linkId, dimension, since }: SumRequest,
  limit: number,
): Promise<ValueSum[]> {
  const rows = await db
    .selectFrom('link_rollups')
    .select((row) => [
      'value',
      row.fn.sum<number>('clicks').as('clicks'),
      row.fn.sum<number>('uniques').as('uniques'),
      row.fn.sum<number>('bots').as('bots'),
    ])
    .where('link_id', '=', linkId)
    .where('dimension', '=', dimension)
    .where('day', '>=', since)
    .groupBy('value')
    .orderBy('clicks', 'desc')
    .orderBy('value')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ value: row.value, ...numbers(row) }));
}

/** The sums of days, oldest first. Days without clicks are left out. */
export async function sumDays(
  { db }: WorkspaceHandle,
  { linkId, since }: Omit<SumRequest, 'dimension'>,
): Promise<ValueSum[]> {
  const rows = await db
    .selectFrom('link_rollups')
    .select(['day', 'clicks', 'uniques', 'bots'])
    .where('link_id', '=', linkId)
    .where('dimension', '=', 'clicks')
    .where('day', '>=', since)
    .orderBy('day')
    .execute();
  return rows.map((row) => ({ value: row.day, ...numbers(row) }));
}

const numbers = (row: { clicks: unknown; uniques: unknown; bots: unknown }): Sum => ({
  clicks: Number(row.clicks),
  uniques: Number(row.uniques),
  bots: Number(row.bots),
});
