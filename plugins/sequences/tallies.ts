// The counts of sequences and of their nodes. Each change adds a row. Reads sum the rows, and a job replaces them by
// their sums from time to time.
import { createHash } from 'node:crypto';
import { filledList, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import { type TallyRow, tallyRows } from './tables.ts';

export const foldKind = 'sequences.fold';

/** On average, one change in this many enqueues a fold of its sequence's rows. */
const foldEvery = 256;

/** The counts that are summed per node. */
type Counts = Omit<TallyRow, 'id' | 'sequence_id' | 'node_id' | 'reason'>;

/** The counts of a node, with the skipped steps by reason. */
interface NodeTally extends Counts {
  readonly reasons: Readonly<Record<string, number>>;
}

const zeroCounts: Counts = { enrolled: 0, active: 0, reached: 0, waiting: 0, skipped: 0, failed: 0 };

/** The `node_id` for the counts of the sequence itself. The counts of an enrolment use its id, which no node can have. */
export const wholeSequence = '';

/**
 * The reasons for skipped steps that are counted separately. A call that moves a run can have any reason, which is
 * counted as `transition`.
 */
const knownReasons: ReadonlySet<string> = new Set([
  ...['overdue', 'capped', 'suppressed', 'no_address', 'no_phone', 'no_consent', 'credits_exhausted'],
  ...['webhook_not_found', 'sequence_not_published', 'already_enrolled', 'entered_too_often', 'contact_not_found'],
  ...['goal', 'exit_when', 'step_limit', 'archived', 'contact_erased', 'cancelled', 'failed', 'completed', 'exited'],
]);

/** The count changes for a skipped step. */
export const skippedFor = (reason: string | null) => ({
  skipped: 1,
  reason: reason !== null && knownReasons.has(reason) ? reason : 'transition',
});

/** Adds to the counts of a node, at the end of the transaction. */
export function recordCounts(
  ctx: TransactionContext,
  sequenceId: string,
  nodeId: string,
  change: Partial<Counts> & { readonly reason?: string },
): void {
  const id = ctx.newId('sqt');
  tallyRows.deferInsert(ctx.trx, {
    id,
    sequence_id: sequenceId,
    node_id: nodeId,
    reason: '',
    ...zeroCounts,
    ...change,
  });
  // The id decides whether this change triggers a fold: ids are random, and a retried call has the same id, so it makes
  // the same decision.
  if (createHash('sha256').update(id).digest()[0] === foldEvery - 1)
    ctx.enqueue({ kind: foldKind, payload: { sequenceId }, key: sequenceId, lane: 'bulk' });
}

/** The sums of a sequence by node. The key `wholeSequence` contains the sums of the sequence itself. */
export async function countsOf({ db }: WorkspaceHandle, sequenceId: string): Promise<Map<string, NodeTally>> {
  const rows = await db
    .selectFrom('sequence_tallies')
    .select(['node_id', 'reason'])
    .select(({ fn }) => [
      fn.sum('enrolled').as('enrolled'),
      fn.sum('active').as('active'),
      fn.sum('reached').as('reached'),
      fn.sum('waiting').as('waiting'),
      fn.sum('skipped').as('skipped'),
      fn.sum('failed').as('failed'),
    ])
    .where('sequence_id', '=', sequenceId)
    .groupBy(['node_id', 'reason'])
    .execute();
  const talliesByNode = new Map<string, NodeTally>();
  for (const { node_id: nodeId, reason, ...sums } of rows) {
    const { reasons, ...earlierCounts } = talliesByNode.get(nodeId) ?? { ...zeroCounts, reasons: {} };
    const counts = addCounts(earlierCounts, {
      enrolled: Number(sums.enrolled),
      active: Number(sums.active),
      reached: Number(sums.reached),
      waiting: Number(sums.waiting),
      skipped: Number(sums.skipped),
      failed: Number(sums.failed),
    });
    const skipped = Number(sums.skipped);
    talliesByNode.set(nodeId, { ...counts, reasons: skipped === 0 ? reasons : { ...reasons, [reason]: skipped } });
  }
  return talliesByNode;
}

/** The number of skipped steps and members of an enrolment, by reason. */
export async function skippedOf(
  { db }: WorkspaceHandle,
  sequenceId: string,
  enrollmentId: string,
): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('sequence_tallies')
    .select(['reason'])
    .select(({ fn }) => [fn.sum('skipped').as('skipped')])
    .where('sequence_id', '=', sequenceId)
    .where('node_id', '=', enrollmentId)
    .groupBy('reason')
    .execute();
  return Object.fromEntries(
    rows.map(({ reason, skipped }) => [reason, Number(skipped)] as const).filter(([, n]) => n > 0),
  );
}

/** The number of all runs and of active runs, by sequence. */
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

/** The maximum number of rows that one fold replaces. */
const maxRows = 1_000;

/** Replaces rows of a sequence by their sums. Returns whether there may be more. */
export async function fold(ctx: TransactionContext, sequenceId: string): Promise<boolean> {
  const { trx } = ctx;
  const storedRows = await trx.db
    .selectFrom('sequence_tallies')
    .selectAll()
    .where('sequence_id', '=', sequenceId)
    .orderBy('node_id')
    .limit(maxRows)
    // Waits while another process folds the same rows, and then reads the new rows.
    .forUpdate()
    .execute();
  const sums = new Map<string, Pick<TallyRow, 'node_id' | 'reason'> & { ids: string[]; counts: Counts }>();
  for (const row of storedRows.map((stored) => tallyRows.decode(stored))) {
    const { node_id, reason } = row;
    const { ids, counts } = sums.get(`${node_id} ${reason}`) ?? { ids: [], counts: zeroCounts };
    sums.set(`${node_id} ${reason}`, { node_id, reason, ids: [...ids, row.id], counts: addCounts(counts, row) });
  }
  for (const { node_id, reason, ids, counts } of sums.values()) {
    if (ids.length < 2) continue;
    const { numDeletedRows } = await trx.db
      .deleteFrom('sequence_tallies')
      .where('id', 'in', filledList(ids))
      .executeTakeFirst();
    if (Number(numDeletedRows) !== ids.length) throw new Error('The counts are being folded by another process.');
    await tallyRows.insert(trx, { id: ctx.newId('sqt'), sequence_id: sequenceId, node_id, reason, ...counts });
  }
  return storedRows.length === maxRows && sums.size < maxRows;
}

const addCounts = (one: Counts, other: Counts): Counts => ({
  enrolled: one.enrolled + other.enrolled,
  active: one.active + other.active,
  reached: one.reached + other.reached,
  waiting: one.waiting + other.waiting,
  skipped: one.skipped + other.skipped,
  failed: one.failed + other.failed,
});
