// The counts of broadcasts. Each change adds rows, so that transactions do not wait for each other. Reads sum the rows, and a job replaces
// them by their sums from time to time.
import { createHash } from 'node:crypto';
import { filledList, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import { type BroadcastCounts, type Exclusion, exclusions, type Fact, facts, type RecipientStatus } from './schema.ts';
import { tallyRows } from './tables.ts';

export const foldKind = 'broadcasts.fold';

/** On average, one in this many changes enqueues a job that folds the rows of its broadcast into their sums. */
const changesPerFold = 256;

/** The two groups of a broadcast with a holdout. */
type Group = 'mail' | 'holdout';

/**
 * The names of the counts: recipients by status, excluded contacts by reason, and facts. With a holdout also the contacts whose turn
 * came (`assigned`), and the contacts who had a conversion after their turn (`responded`).
 */
export type CountName =
  | Exclude<RecipientStatus, 'excluded'>
  | `excluded.${Exclusion}`
  | Fact
  | `${'assigned' | 'responded'}.${Group}`;

/** Changes of counts. */
export type CountChanges = Partial<Record<CountName, number>>;

/** Adds to the counts of a broadcast, at the end of the transaction. */
export function addCounts(
  { trx, newId, enqueue }: TransactionContext,
  broadcastId: string,
  changes: CountChanges,
): void {
  for (const [name, amount] of Object.entries(changes)) {
    if (amount === undefined || amount === 0) continue;
    const id = newId('brt');
    tallyRows.deferInsert(trx, { id, broadcast_id: broadcastId, name, amount });
    // The id decides whether this change enqueues a fold. Ids are random, and a retried transaction gets the same decision.
    if (createHash('sha256').update(id).digest()[0] === changesPerFold - 1)
      enqueue({ kind: foldKind, payload: { broadcastId }, key: broadcastId, lane: 'bulk' });
  }
}

/** The sums of all changes, by broadcast and name. */
export async function sumsOf(
  { db }: WorkspaceHandle,
  broadcastIds: readonly string[],
): Promise<(broadcastId: string, name: CountName) => number> {
  const rows =
    broadcastIds.length === 0
      ? []
      : await db
          .selectFrom('broadcast_tallies')
          .select(['broadcast_id', 'name'])
          .select(({ fn }) => [fn.sum('amount').as('amount')])
          .where('broadcast_id', 'in', filledList(broadcastIds))
          .groupBy(['broadcast_id', 'name'])
          .execute();
  const sums = new Map(rows.map((row) => [`${row.broadcast_id} ${row.name}`, Number(row.amount)]));
  return (id, name) => sums.get(`${id} ${name}`) ?? 0;
}

/** The counts of broadcasts, by broadcast. */
export async function countsOf(
  handle: WorkspaceHandle,
  broadcastIds: readonly string[],
): Promise<(broadcastId: string) => BroadcastCounts> {
  const sums = await sumsOf(handle, broadcastIds);
  return (id) => {
    const sum = (name: CountName): number => sums(id, name);
    const [waiting, accepted, failed, canceled] = [sum('waiting'), sum('accepted'), sum('failed'), sum('canceled')];
    const excluded = Object.fromEntries(exclusions.map((reason) => [reason, sum(`excluded.${reason}`)]));
    const recipients = waiting + accepted + failed + canceled;
    return {
      audience: recipients + Object.values(excluded).reduce((one, other) => one + other, 0),
      recipients,
      excluded: excluded as BroadcastCounts['excluded'],
      ...{ waiting, accepted, failed, canceled },
      ...(Object.fromEntries(facts.map((fact) => [fact, sum(fact)])) as Record<Fact, number>),
    };
  };
}

/** The maximum number of rows that one fold replaces. */
const folded = 1_000;

/** Replaces rows of a broadcast by their sums. Returns whether there may be more. */
export async function fold({ trx, newId }: TransactionContext, broadcastId: string): Promise<boolean> {
  const rows = await trx.db
    .selectFrom('broadcast_tallies')
    .selectAll()
    .where('broadcast_id', '=', broadcastId)
    .orderBy('name')
    .limit(folded)
    // Another process that folds the same rows waits here, and then reads the new rows.
    .forUpdate()
    .execute();
  const sums = new Map<string, { readonly ids: string[]; amount: number }>();
  for (const { id, name, amount } of rows) {
    const sum = sums.get(name) ?? { ids: [], amount: 0 };
    sum.ids.push(id);
    sum.amount += Number(amount);
    sums.set(name, sum);
  }
  for (const [name, { ids, amount }] of sums) {
    if (ids.length < 2) continue;
    const { numDeletedRows } = await trx.db
      .deleteFrom('broadcast_tallies')
      .where('id', 'in', filledList(ids))
      .executeTakeFirst();
    if (Number(numDeletedRows) !== ids.length) throw new Error('The counts are being folded by another process.');
    await tallyRows.insert(trx, { id: newId('brt'), broadcast_id: broadcastId, name, amount });
  }
  return rows.length === folded && sums.size < folded;
}
