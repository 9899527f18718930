// The counts of sequences and of their nodes: rows with changes, summed up when they are read and folded now and then.
import { createHash } from 'node:crypto';
import type { Effects, WorkspaceHandle } from '../../core/index.ts';
import { filledList } from '../../core/index.ts';
import type { TallyRow } from './tables.ts';
import { tallyRows } from './tables.ts';

export const foldKind = 'sequences.fold';

/** One change in so many folds the rows of its sequence. */
const foldEvery = 256;

type Counts = Omit<TallyRow, 'id' | 'sequence_id' | 'node_id'>;

const none: Counts = { enrolled: 0, active: 0, reached: 0, waiting: 0, skipped: 0, failed: 0 };

/** The `node_id` of the counts of the sequence itself. */
export const wholeSequence = '';

/** Adds to the counts of a node, at the end of the transaction. */
export function count(effects: Effects, sequenceId: string, nodeId: string, change: Partial<Counts>): void {
  const id = effects.newId('sqt');
  tallyRows.deferInsert(effects.trx, { id, sequence_id: sequenceId, node_id: nodeId, ...none, ...change });
  // Which change folds follows from its id: ids are random, and a call that is repeated decides alike.
  if (createHash('sha256').update(id).digest()[0] === foldEvery - 1)
    effects.enqueue({ kind: foldKind, payload: { sequenceId }, key: sequenceId, lane: 'bulk' });
}

/** The sums of a sequence by node; `wholeSequence` has those of the sequence. */
export async function countsOf({ db }: WorkspaceHandle, sequenceId: string): Promise<Map<string, Counts>> {
  const rows = await db
    .selectFrom('sequence_tallies')
    .select(['node_id'])
    .select(({ fn }) => [
      fn.sum('enrolled').as('enrolled'),
      fn.sum('active').as('active'),
      fn.sum('reached').as('reached'),
      fn.sum('waiting').as('waiting'),
      fn.sum('skipped').as('skipped'),
      fn.sum('failed').as('failed'),
    ])
    .where('sequence_id', '=', sequenceId)
    .groupBy('node_id')
    .execute();
  return new Map(
    rows.map(({ node_id: nodeId, ...sums }) => [
      nodeId,
      {
        enrolled: Number(sums.enrolled),
        active: Number(sums.active),
        reached: Number(sums.reached),
        waiting: Number(sums.waiting),
        skipped: Number(sums.skipped),
        failed: Number(sums.failed),
      },
    ]),
  );
}

/** Runs ever and active runs of several sequences, by sequence. */
export async function totalsOf(
  { db }: WorkspaceHandle,
  sequenceIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<Counts, 'enrolled' | 'active'>>> {
  if (sequenceIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('sequence_tallies')
    .select(['sequence_id'])
    .select(({ fn }) => [fn.sum('enrolled').as('enrolled'), fn.sum('active').as('active')])
    .where('sequence_id', 'in', filledList(sequenceIds))
    .where('node_id', '=', wholeSequence)
    .groupBy('sequence_id')
    .execute();
  return new Map(
    rows.map(({ sequence_id: id, enrolled, active }) => [id, { enrolled: Number(enrolled), active: Number(active) }]),
  );
}

/** The rows that one fold replaces. */
const folded = 1_000;

/** Replaces rows of a sequence by their sums. Answers whether there may be more. */
export async function fold(effects: Effects, sequenceId: string): Promise<boolean> {
  const { trx } = effects;
  const found = await trx.db
    .selectFrom('sequence_tallies')
    .selectAll()
    .where('sequence_id', '=', sequenceId)
    .orderBy('node_id')
    .limit(folded)
    // Another process that folds the same rows comes after this one, and finds its own.
    .forUpdate()
    .execute();
  const sums = new Map<string, { ids: string[]; counts: Counts }>();
  for (const row of found.map((stored) => tallyRows.decode(stored))) {
    const { ids, counts } = sums.get(row.node_id) ?? { ids: [], counts: none };
    sums.set(row.node_id, { ids: [...ids, row.id], counts: added(counts, row) });
  }
  for (const [nodeId, { ids, counts }] of sums) {
    if (ids.length < 2) continue;
    const { numDeletedRows } = await trx.db
      .deleteFrom('sequence_tallies')
      .where('id', 'in', filledList(ids))
      .executeTakeFirst();
    if (Number(numDeletedRows) !== ids.length) throw new Error('The counts are being folded by another process.');
    await tallyRows.insert(trx, { id: effects.newId('sqt'), sequence_id: sequenceId, node_id: nodeId, ...counts });
  }
  return found.length === folded && sums.size < folded;
}

const added = (one: Counts, other: Counts): Counts => ({
  enrolled: one.enrolled + other.enrolled,
  active: one.active + other.active,
  reached: one.reached + other.reached,
  waiting: one.waiting + other.waiting,
  skipped: one.skipped + other.skipped,
  failed: one.failed + other.failed,
});
