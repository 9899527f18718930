// Cancels the rest of a canceled broadcast: recipients who wait, and accepted mails that were not handed over.
import { filledList, type TransactionContext } from '../../../core/index.ts';
import type { BroadcastRow } from '../broadcasts.ts';
import { addCounts } from '../tallies.ts';
import type { NextStep } from './step.ts';

/** The maximum number of recipients that one transaction cancels. */
const batch = 500;

/** The next waiting recipients in one of their two states. Each statement reads one state, so that the index provides the order. */
async function nextIn({ trx }: TransactionContext, broadcastId: string, state: 'waiting' | 'undecided') {
  const rows = await trx.db
    .selectFrom('broadcast_recipients')
    .select('id')
    .where('broadcast_id', '=', broadcastId)
    .where('state', '=', state)
    .orderBy('due_at')
    .orderBy('id')
    .limit(batch)
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Cancels the next recipients of a canceled broadcast. The row is locked. */
export async function cancelStep(ctx: TransactionContext, row: BroadcastRow): Promise<NextStep> {
  const { trx, now } = ctx;
  const waiting = await nextIn(ctx, row.id, 'waiting');
  const ids = waiting.length > 0 ? waiting : await nextIn(ctx, row.id, 'undecided');
  if (ids.length > 0) {
    await trx.db
      .updateTable('broadcast_recipients')
      .set({ state: 'canceled', due_at: null, at: now })
      .where('id', 'in', filledList(ids))
      .execute();
    addCounts(ctx, row.id, { waiting: -ids.length, canceled: ids.length });
    ctx.ports.phase('broadcasts.canceling', row.id);
    return 0;
  }
  await rerunDeliveries(ctx, row);
  return null;
}

/**
 * Runs the delivery jobs of parked sends, and of sends that wait for a time, again, so that each send is decided on again. At most
 * `maxAhead` sends.
 */
async function rerunDeliveries(ctx: TransactionContext, row: BroadcastRow): Promise<void> {
  const rows = await ctx.trx.db
    .selectFrom('broadcast_recipients as recipient')
    .innerJoin('sends as mail', 'mail.id', 'recipient.send_id')
    .select(['recipient.id', 'recipient.send_id', 'recipient.state', 'mail.status'])
    .where('recipient.broadcast_id', '=', row.id)
    .where('recipient.state', 'in', ['queued', 'parked'])
    .execute();
  const woken = rows.filter(({ state, status }) => state === 'parked' || status === 'scheduled');
  await unpark(
    ctx,
    row.id,
    woken.map(({ id }) => id),
  );
  await ctx.services.bulkMail.deliverNow(
    ctx,
    woken.flatMap(({ send_id: id }) => id ?? []),
  );
}

/** Marks parked recipients as having a delivery job again. */
async function unpark({ trx }: TransactionContext, broadcastId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.db
    .updateTable('broadcast_recipients')
    .set({ state: 'queued' })
    .where('id', 'in', filledList(ids))
    // SQLite then looks only at the parked recipients of the broadcast.
    .where('broadcast_id', '=', broadcastId)
    .where('state', '=', 'parked')
    .execute();
}

/** Enqueues the delivery jobs of the parked sends again, for a resumed broadcast. The caller must have locked the row. */
export async function deliverParked(ctx: TransactionContext, broadcastId: string): Promise<void> {
  const rows = await ctx.trx.db
    .selectFrom('broadcast_recipients')
    .select(['id', 'send_id'])
    .where('broadcast_id', '=', broadcastId)
    .where('state', '=', 'parked')
    .forUpdate()
    .execute();
  await unpark(
    ctx,
    broadcastId,
    rows.map(({ id }) => id),
  );
  await ctx.services.bulkMail.deliverNow(
    ctx,
    rows.flatMap(({ send_id: id }) => id ?? []),
  );
  ctx.ports.phase('broadcasts.resuming', broadcastId);
}
