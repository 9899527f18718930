// SQL of the guard: sums of what happened to mail, and the merging of rows. Every function takes a handle on the live side.
import { filledList, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import { type HandOverRow, handOverRows, type StateRow, stateRows } from './tables.ts';
import { type Happened, minuteMs, minuteOf } from './windows/series.ts';

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

/** The clocks of two processes differ by less. */
const clockDifferenceMs = 3_600_000;

/**
 * From when mail counts: from the last release on. If the clock was set back since the release, all mail counts: the guard would otherwise
 * see no mail until the time of the release has come again.
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

/** What happened to the mail that was handed over in the span. */
export async function readHappened(
  { db }: WorkspaceHandle,
  { from, until, counted_since }: CountedSpan,
): Promise<Happened> {
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

/** Forgets the hand-overs of the minute of a release, because rows do not say in which part of the minute mail left. */
export async function forgetMinute({ db }: WorkspaceHandle, minute: number): Promise<void> {
  await db.deleteFrom('reputation_hand_overs').where('minute', '=', minute).execute();
}

/** Whether there are rows to merge. */
export async function hasUnmerged({ db }: WorkspaceHandle, since: number, until: number): Promise<boolean> {
  const found = await db
    .selectFrom('reputation_hand_overs')
    .select('id')
    .where('minute', '>=', since)
    .where('minute', '<', until)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The most rows that one transaction merges. */
const batch = 2_000;

/**
 * Merges rows of the same minute, domain and receiver, up to the minute `until`. Returns whether there may be more rows to merge. The
 * caller has locked the state: two transactions must not merge the same rows.
 */
export async function mergeSome(
  { trx, newId }: TransactionContext,
  { merged_until: since }: StateRow,
  until: number,
): Promise<boolean> {
  const found = await handOverRows.between(trx, { time: 'minute', from: since, until, limit: batch });
  const isFull = found.length === batch;
  const last = found.at(-1)?.minute ?? until;
  const isOneMinute = found[0]?.minute === last;
  // The last minute of a full batch goes on in the next one.
  const whole = isFull && !isOneMinute ? found.filter(({ minute }) => minute < last) : found;
  const groups = new Map<string, HandOverRow[]>();
  for (const row of whole) {
    const key = `${row.minute} ${row.receiver} ${row.domain}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  let isMerged = false;
  for (const rows of groups.values()) {
    const [one] = rows;
    if (one === undefined || rows.length === 1) continue;
    isMerged = true;
    const ids = filledList(rows.map(({ id }) => id));
    const { minute } = one;
    await trx.db.deleteFrom('reputation_hand_overs').where('minute', '=', minute).where('id', 'in', ids).execute();
    const mails = rows.reduce((sum, row) => sum + row.mails, 0);
    await handOverRows.insert(trx, { ...one, id: newId('rho'), mails });
  }
  // A minute that fills a batch is read again until nothing is left to merge in its oldest rows.
  const next = isOneMinute && !isMerged ? last + minuteMs : last;
  await stateRows.update(trx, 'marketing', { merged_until: isFull ? next : until });
  return isFull;
}
