// SQL of roll-ups: visitors of the day, sums. All on one side of a workspace.
import type { WorkspaceHandle } from '../../../core/index.ts';
import { defineStatement, filledList } from '../../../core/index.ts';
import type { RecordedClick } from '../clicks/batch.ts';
import type { KnownValues, RollupPart, Sum } from './dimensions.ts';
import { allLinks, groupOf, madeUpGroups, ours } from './dimensions.ts';

/** Which of these visitors the day has had before. */
export async function knownVisitors({ db }: WorkspaceHandle, visitors: readonly string[]): Promise<Set<string>> {
  if (visitors.length === 0) return new Set();
  const rows = await db
    .selectFrom('link_visitors')
    .select('visitor')
    .where('visitor', 'in', filledList(visitors))
    .execute();
  return new Set(rows.map(({ visitor }) => visitor));
}

/**
 * The values that days have already, in dimensions whose values clients make up: no more are kept apart than a day may have. Only
 * of the links, days and dimensions of these clicks that name one.
 */
export async function knownValues({ db }: WorkspaceHandle, clicks: readonly RecordedClick[]): Promise<KnownValues> {
  const groups = madeUpGroups(clicks);
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
    if (ours.has(value)) continue;
    const group = groupOf({ linkId, dimension, day });
    const values = known.get(group);
    if (values === undefined) known.set(group, new Set([value]));
    else values.add(value);
  }
  return known;
}

const insertVisitor = defineStatement((db, p: { visitor: string; created_at: number }) =>
  db
    .insertInto('link_visitors')
    .values({ visitor: p.visitor, created_at: p.created_at })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'sandbox', 'visitor']).doNothing()),
);

/** Remembers visitors until the day is over. */
export function keepVisitors(trx: WorkspaceHandle, clicks: readonly RecordedClick[]): void {
  for (const { visitor, at } of clicks) trx.defer(insertVisitor, { visitor, created_at: at });
}

/** So many sums are added by one statement. */
const together = 16;

/** The names of the parameters of each row in a statement of many rows. */
const names = Array.from({ length: together }, (_, index) => ({
  linkId: `link_id_${index}`,
  dimension: `dimension_${index}`,
  day: `day_${index}`,
  value: `value_${index}`,
  clicks: `clicks_${index}`,
  uniques: `uniques_${index}`,
  bots: `bots_${index}`,
}));

interface Numbered {
  readonly created_at: number;
  readonly [name: string]: string | number;
}

/** A statement that adds `count` sums. */
const addSums = (count: number) =>
  defineStatement((db, p: Numbered) => {
    const text = (name: string) => p[name] as string;
    const figure = (name: string) => p[name] as number;
    const rows = names.slice(0, count).map((row) => ({
      link_id: text(row.linkId),
      dimension: text(row.dimension),
      day: text(row.day),
      value: text(row.value),
      clicks: figure(row.clicks),
      uniques: figure(row.uniques),
      bots: figure(row.bots),
      created_at: p.created_at,
    }));
    return db
      .insertInto('link_rollups')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'sandbox', 'link_id', 'dimension', 'day', 'value']).doUpdateSet((row) => ({
          clicks: row('link_rollups.clicks', '+', row.ref('excluded.clicks')),
          uniques: row('link_rollups.uniques', '+', row.ref('excluded.uniques')),
          bots: row('link_rollups.bots', '+', row.ref('excluded.bots')),
        })),
      );
  });
const addMany = addSums(together);
const addOne = addSums(1);

/** The parameters of the sums `from` up to `to`. */
function parametersOf(parts: readonly RollupPart[], now: number, from: number, to: number): Numbered {
  // Without a prototype: V8 would make a hidden class for each of the names before it gave up.
  const given: { created_at: number; [name: string]: string | number } = Object.create(null);
  given.created_at = now;
  for (let index = from; index < to; index += 1) {
    const [part, row] = [parts[index], names[index - from]];
    if (part === undefined || row === undefined) break;
    given[row.linkId] = part.linkId;
    given[row.dimension] = part.dimension;
    given[row.day] = part.day;
    given[row.value] = part.value;
    given[row.clicks] = part.clicks;
    given[row.uniques] = part.uniques;
    given[row.bots] = part.bots;
  }
  return given;
}

/** The row that a roll-up holds: no dimension of clicks has its name. */
const lockPart: RollupPart = {
  linkId: allLinks,
  dimension: 'lock',
  day: '',
  value: '',
  clicks: 0,
  uniques: 0,
  bots: 0,
};

/**
 * Waits for the roll-up of this side that runs, and keeps others waiting until the transaction ends. One statement makes the row or
 * takes it: a lock on a row that is not there yet would lock nothing.
 */
export const lockRollUps = (trx: WorkspaceHandle, now: number): Promise<unknown> =>
  trx.run(addOne, parametersOf([lockPart], now, 0, 1));

const inOrder = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/**
 * Adds sums, in the order of their keys: two transactions that add to the same rows wait for each other in one order.
 */
export function addRollups(trx: WorkspaceHandle, parts: readonly RollupPart[], now: number): void {
  const sorted = [...parts].sort(
    (one, other) =>
      inOrder(one.linkId, other.linkId) ||
      inOrder(one.dimension, other.dimension) ||
      inOrder(one.day, other.day) ||
      inOrder(one.value, other.value),
  );
  let from = 0;
  for (; sorted.length - from >= together; from += together)
    trx.defer(addMany, parametersOf(sorted, now, from, from + together));
  for (; from < sorted.length; from += 1) trx.defer(addOne, parametersOf(sorted, now, from, from + 1));
}

const addTotal = defineStatement((db, p: Sum & { link_id: string; last_at: number | null; created_at: number }) =>
  db
    .insertInto('link_totals')
    .values({
      link_id: p.link_id,
      clicks: p.clicks,
      uniques: p.uniques,
      bots: p.bots,
      last_at: p.last_at,
      created_at: p.created_at,
    })
    .onConflict((conflict) =>
      conflict.column('link_id').doUpdateSet((row) => ({
        clicks: row('link_totals.clicks', '+', row.ref('excluded.clicks')),
        uniques: row('link_totals.uniques', '+', row.ref('excluded.uniques')),
        bots: row('link_totals.bots', '+', row.ref('excluded.bots')),
        last_at: row.fn.coalesce('excluded.last_at', 'link_totals.last_at'),
      })),
    ),
);

/** Adds to the counts of links. The last click of a batch is taken for the last one. */
export function addTotals(
  trx: WorkspaceHandle,
  totals: ReadonlyMap<string, Sum & { lastAt: number | null }>,
  now: number,
): void {
  for (const linkId of [...totals.keys()].sort()) {
    const { clicks = 0, uniques = 0, bots = 0, lastAt = null } = totals.get(linkId) ?? {};
    trx.defer(addTotal, { link_id: linkId, clicks, uniques, bots, last_at: lastAt, created_at: now });
  }
}

/** What sums are asked for. */
export interface SumRequest {
  readonly linkId: string;
  readonly dimension: string;
  /** YYYY-MM-DD: this day and later ones. */
  readonly since: string;
}

/** A sum of a value, or of a day. */
export interface ValueSum extends Sum {
  readonly value: string;
}

/** The values of a dimension, the most frequent first. */
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

/** The sums of days, oldest first; days without clicks are left out. */
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
