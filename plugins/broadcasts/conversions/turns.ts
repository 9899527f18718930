// For a broadcast with a holdout: records when the turn of each assigned contact comes, and whether the contact converts within the set
// time after it. The turn is the moment at which the mail is accepted, or would have been accepted for a held-out contact. Called in the
// transaction of each step, and of each event.
import { filledList, type TransactionContext } from '../../../core/index.ts';
import type { RecordedEvent } from '../../events/index.ts';
import type { BroadcastRow } from '../broadcasts.ts';
import { recipientRows } from '../tables.ts';
import { addCounts } from '../tallies.ts';

/**
 * The `due_at` of held-out contacts that are not in the sample of an experiment, before its decision: the end of the year 9999. Their turns
 * come with the turns of the other contacts who wait for the decision.
 */
export const undecidedDue = 253_402_300_799_999;

/** The maximum number of held-out contacts whose turns one step records. */
const batch = 500;
/** The maximum number of broadcasts in which one event of a contact counts, newest first. */
const maxBroadcasts = 100;

/** The columns of a recipient whose turn has come. */
export const turnOf = ({ holdout_percent: percent }: BroadcastRow, now: number): { readonly turn_at?: number } =>
  percent === 0 ? {} : { turn_at: now };

interface Position {
  readonly due_at: number | null;
  readonly id: string;
}

/** Records the turns of the held-out contacts that come before this position in the order of turns. Returns their number. */
async function recordHeldOutTurns(
  { trx, now }: TransactionContext,
  broadcastId: string,
  before: Position,
): Promise<number> {
  const rows = await trx.db
    .selectFrom('broadcast_recipients')
    .select(['id', 'due_at'])
    .where('broadcast_id', '=', broadcastId)
    .where('state', '=', 'excluded')
    .where('holdout', '=', 1)
    .where('due_at', '<=', before.due_at)
    .where((row) => row.or([row('due_at', '<', before.due_at), row('id', '<', before.id)]))
    .orderBy('due_at')
    .orderBy('id')
    .limit(batch)
    .execute();
  const byTurn = new Map<number, string[]>();
  for (const { id, due_at: due } of rows) {
    const turn = Number(due) === undecidedDue ? now : Math.max(now, Number(due));
    byTurn.set(turn, [...(byTurn.get(turn) ?? []), id]);
  }
  for (const [turn, ids] of byTurn)
    await trx.db
      .updateTable('broadcast_recipients')
      .set({ turn_at: turn, due_at: null })
      .where('id', 'in', filledList(ids))
      .execute();
  return rows.length;
}

/**
 * Counts the recipients whose turn came in a step, and records the turns of the held-out contacts before them in the order.
 * @param last the last recipient whose turn came
 */
export async function countTurns(
  ctx: TransactionContext,
  { id, holdout_percent: percent }: BroadcastRow,
  turned: number,
  last: Position | undefined,
): Promise<void> {
  if (percent === 0 || turned === 0) return;
  const heldOut = last === undefined ? 0 : await recordHeldOutTurns(ctx, id, last);
  addCounts(ctx, id, { 'assigned.mail': turned, 'assigned.holdout': heldOut });
}

/**
 * Called after the last recipient, or after the last recipient of a sample. Records the turns of the held-out contacts that come later.
 * Returns whether more may follow.
 * @param isSample whether other recipients wait for the decision of an experiment
 */
export async function endTurns(
  ctx: TransactionContext,
  { id, holdout_percent: percent }: BroadcastRow,
  isSample: boolean,
): Promise<boolean> {
  if (percent === 0) return false;
  const heldOut = await recordHeldOutTurns(ctx, id, { due_at: isSample ? undecidedDue - 1 : undecidedDue + 1, id: '' });
  addCounts(ctx, id, { 'assigned.holdout': heldOut });
  return heldOut === batch;
}

/** After the decision of an experiment: makes the held-out contacts up to this recipient due, together with the other recipients. */
export async function releaseHeldOut(
  { trx, now }: TransactionContext,
  { id, holdout_percent: percent }: Pick<BroadcastRow, 'id' | 'holdout_percent'>,
  last: string,
): Promise<void> {
  if (percent === 0) return;
  await trx.db
    .updateTable('broadcast_recipients')
    .set({ due_at: now })
    .where('broadcast_id', '=', id)
    .where('state', '=', 'excluded')
    .where('due_at', '=', undecidedDue)
    .where('id', '<=', last)
    .execute();
}

/** Marks the assignments of the contact whose turn came within the time before the event. Each counts once. */
export async function countResponses(
  ctx: TransactionContext,
  { contactId, at }: RecordedEvent,
  windowMs: number,
): Promise<void> {
  const assignments = await ctx.trx.db
    .selectFrom('broadcast_recipients')
    .select(['id', 'broadcast_id', 'holdout'])
    .where('contact_id', '=', contactId)
    .where('turn_at', '>=', at - windowMs)
    .where('turn_at', '<=', at)
    .where('responded_at', 'is', null)
    .orderBy('turn_at', 'desc')
    .limit(maxBroadcasts)
    .forUpdate()
    .execute();
  for (const { id, broadcast_id: broadcastId, holdout } of assignments) {
    await recipientRows.update(ctx.trx, id, { responded_at: at });
    addCounts(ctx, broadcastId, { [Number(holdout) === 1 ? 'responded.holdout' : 'responded.mail']: 1 });
  }
}
