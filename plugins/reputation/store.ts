// SQL of the guard: sums of handed-over mail and its faults, and the merging of rows. Every function needs a handle on
// the live side.
import { filledList, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import { type HandOverRow, handOverRows, type StateRow, stateRows } from './tables.ts';
import { minuteMs, minuteOf, type SpanRows } from './windows/series.ts';

/** The state of a workspace in which nothing has happened yet. */
export const initialState: StateRow = {
  category: 'marketing',
  state: 'ok',
  counted_since: 0,
  merged_until: 0,
  warned_at: null,
  changed_at: 0,
};

export const findState = async (handle: WorkspaceHandle): Promise<StateRow> =>
  (await stateRows.find(handle, 'marketing')) ?? initialState;

/** The state, locked until the transaction ends. */
export async function lockState({ trx }: TransactionContext): Promise<StateRow> {
  await stateRows.upsertAndLock(trx, [initialState], ['category']);
  return (await stateRows.lock(trx, 'marketing')) ?? initialState;
}

/** The assumed maximum difference between the clocks of two processes. */
const clockDifferenceMs = 3_600_000;

/**
 * The time from which mail counts: the last release. If the clock was set back since then, all mail counts, because the
 * guard would otherwise ignore all mail until the clock reaches the time of the release again.
 */
export const countedSince = ({ counted_since: since }: StateRow, now: number): number =>
  since > now + clockDifferenceMs ? 0 : since;

/** A span of minutes. Mail from before the last release does not count. */
export interface CountedSpan extends Pick<StateRow, 'counted_since'> {
  /** The beginning of the first minute. */
  readonly from: number;
  /** The beginning of the first minute after the span. */
  readonly until: number;
}

/** The mail that was handed over in the span, and its faults. */
export async function readMailCounts(
  { db }: WorkspaceHandle,
  { from, until, counted_since }: CountedSpan,
): Promise<SpanRows> {
  const first = Math.max(from, minuteOf(counted_since));
  const faults = await db
    .selectFrom('reputation_faults')
    .select(['minute', 'domain', 'receiver', 'kind'])
    .select(({ fn }) => fn.countAll().as('count'))
    .where('minute', '>=', first)
    .where('minute', '<', until)
    .where('handed_over_at', '>=', counted_since)
    .groupBy(['minute', 'domain', 'receiver', 'kind'])
    .execute();
  const handedOver = await db
    .selectFrom('reputation_hand_overs')
    .select(['minute', 'domain', 'receiver'])
    .select(({ fn }) => fn.sum('mails').as('mails'))
    .where('minute', '>=', first)
    .where('minute', '<', until)
    .groupBy(['minute', 'domain', 'receiver'])
    .execute();
  return {
    handedOver: handedOver.map((row) => ({ ...row, minute: Number(row.minute), mails: Number(row.mails) })),
    faults: faults.map((row) => ({ ...row, minute: Number(row.minute), count: Number(row.count) })),
  };
}

/**
 * Deletes the hand-overs of the minute of a release, because a row does not record whether its mail was before or after
 * the release.
 */
export async function deleteHandOvers({ db }: WorkspaceHandle, minute: number): Promise<void> {
  await db.deleteFrom('reputation_hand_overs').where('minute', '=', minute).execute();
}

/** Whether there are rows to merge. */
export async function hasUnmerged({ db }: WorkspaceHandle, since: number, until: number): Promise<boolean> {
  const unmergedRow = await db
    .selectFrom('reputation_hand_overs')
    .select('id')
    .where('minute', '>=', since)
    .where('minute', '<', until)
    .limit(1)
    .executeTakeFirst();
  return unmergedRow !== undefined;
}

/** The maximum number of rows that one transaction merges. */
const batch = 2_000;

/**
 * Merges rows of the same minute, domain and receiver, up to the minute `until`. Returns whether there may be more rows
 * to merge. The caller must have locked the state, because two transactions must not merge the same rows.
 */
export async function mergeSome(
  { trx, newId }: TransactionContext,
  { merged_until: since }: StateRow,
  until: number,
): Promise<boolean> {
  const handOvers = await handOverRows.between(trx, { time: 'minute', from: since, until, limit: batch });
  const isFull = handOvers.length === batch;
  const last = handOvers.at(-1)?.minute ?? until;
  const isOneMinute = handOvers[0]?.minute === last;
  // A full batch may lack rows of its last minute, so that minute is merged in the next batch.
  const completeRows = isFull && !isOneMinute ? handOvers.filter(({ minute }) => minute < last) : handOvers;
  const groups = new Map<string, HandOverRow[]>();
  for (const row of completeRows) {
    const key = `${row.minute} ${row.receiver} ${row.domain}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  let isMerged = false;
  for (const rows of groups.values()) {
    const [firstRow] = rows;
    if (firstRow === undefined || rows.length === 1) continue;
    isMerged = true;
    const ids = filledList(rows.map(({ id }) => id));
    const { minute } = firstRow;
    await trx.db.deleteFrom('reputation_hand_overs').where('minute', '=', minute).where('id', 'in', ids).execute();
    const mails = rows.reduce((sum, row) => sum + row.mails, 0);
    await handOverRows.insert(trx, { ...firstRow, id: newId('rho'), mails });
  }
  // A minute that fills a whole batch is read again until its oldest rows are merged.
  const mergedUntil = isOneMinute && !isMerged ? last + minuteMs : last;
  await stateRows.update(trx, 'marketing', { merged_until: isFull ? mergedUntil : until });
  return isFull;
}
