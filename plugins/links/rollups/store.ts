// SQL of roll-ups: visitors of the day, sums. All on one side of a workspace.
import type { WorkspaceHandle } from '../../../core/index.ts';
import { defineStatement, filledList } from '../../../core/index.ts';
import type { RecordedClick } from '../clicks/batch.ts';
import type { KnownValues, RollupPart, Sum } from './dimensions.ts';
import { allLinks, groupOf, madeUpGroups, ours } from './dimensions.ts';

/** So many visitors are looked up by a statement that is compiled once. */
const askedTogether = 256;
const askedNames = Array.from({ length: askedTogether }, (_, index) => `visitor_${index}`);

const visitorsAmong = defineStatement((db, p: Readonly<Record<string, string>>) =>
  db
    .selectFrom('link_visitors')
    .select('visitor')
    .where(
      'visitor',
      'in',
      askedNames.map((name) => p[name] as string),
    ),
);

/** Which of these visitors the day has had before. */
export async function knownVisitors(handle: WorkspaceHandle, visitors: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let from = 0; from < visitors.length; from += askedTogether) {
    const asked: Record<string, string> = Object.create(null);
    for (const [index, name] of askedNames.entries()) asked[name] = visitors[from + index] ?? visitors[from] ?? '';
    for (const { visitor } of await handle.all(visitorsAmong, asked)) known.add(visitor);
  }
  return known;
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

/** So many rows are written by one statement. */
const together = 16;

/** Parameters of a statement of many rows, by name. */
type Numbered = Record<string, string | number>;

/** Without a prototype: V8 would make a hidden class for each of the many names before it gave up. */
const noParameters = (): Numbered => Object.create(null);

/** Calls `many` where a statement of `together` rows begins, and `one` for each row that is left. */
function eachTogether(count: number, many: (from: number) => void, one: (at: number) => void): void {
  let from = 0;
  for (; count - from >= together; from += together) many(from);
  for (; from < count; from += 1) one(from);
}

const visitorNames = Array.from({ length: together }, (_, index) => ({
  visitor: `visitor_${index}`,
  createdAt: `created_at_${index}`,
}));

/** A statement that remembers `count` visitors. */
const insertVisitors = (count: number) =>
  defineStatement((db, p: Numbered) =>
    db
      .insertInto('link_visitors')
      .values(
        visitorNames
          .slice(0, count)
          .map((row) => ({ visitor: p[row.visitor] as string, created_at: p[row.createdAt] as number })),
      )
      .onConflict((conflict) => conflict.columns(['workspace_id', 'sandbox', 'visitor']).doNothing()),
  );
const insertManyVisitors = insertVisitors(together);
const insertOneVisitor = insertVisitors(1);

/** Remembers visitors until the day is over. */
export function keepVisitors(trx: WorkspaceHandle, clicks: readonly RecordedClick[]): void {
  const parametersOf = (from: number, count: number): Numbered => {
    const given = noParameters();
    for (const [index, { visitor, createdAt }] of visitorNames.slice(0, count).entries()) {
      given[visitor] = clicks[from + index]?.visitor ?? '';
      given[createdAt] = clicks[from + index]?.at ?? 0;
    }
    return given;
  };
  eachTogether(
    clicks.length,
    (from) => trx.defer(insertManyVisitors, parametersOf(from, together)),
    (at) => trx.defer(insertOneVisitor, parametersOf(at, 1)),
  );
}

/** The names of the parameters of each sum. */
const sumNames = Array.from({ length: together }, (_, index) => ({
  linkId: `link_id_${index}`,
  dimension: `dimension_${index}`,
  day: `day_${index}`,
  value: `value_${index}`,
  clicks: `clicks_${index}`,
  uniques: `uniques_${index}`,
  bots: `bots_${index}`,
}));

/** A statement that adds `count` sums. */
const addSums = (count: number) =>
  defineStatement((db, p: Numbered) => {
    const text = (name: string) => p[name] as string;
    const figure = (name: string) => p[name] as number;
    const rows = sumNames.slice(0, count).map((row) => ({
      link_id: text(row.linkId),
      dimension: text(row.dimension),
      day: text(row.day),
      value: text(row.value),
      clicks: figure(row.clicks),
      uniques: figure(row.uniques),
      bots: figure(row.bots),
      created_at: p['created_at'] as number,
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

function sumParameters(parts: readonly RollupPart[], now: number, from: number, count: number): Numbered {
  const given = noParameters();
  given['created_at'] = now;
  for (let index = 0; index < count; index += 1) {
    const [part, row] = [parts[from + index], sumNames[index]];
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
  trx.run(addOne, sumParameters([lockPart], now, 0, 1));

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
  eachTogether(
    sorted.length,
    (from) => trx.defer(addMany, sumParameters(sorted, now, from, together)),
    (at) => trx.defer(addOne, sumParameters(sorted, now, at, 1)),
  );
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
      created_at: p['created_at'] as number,
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
