// The transitions of broadcasts: one change of the row, one event, one audit entry. The caller has locked the row.
import { coreErrors, type TransactionContext } from '../../core/index.ts';
import { type BroadcastResource, type BroadcastRow, broadcastRows, broadcasts } from './broadcasts.ts';
import { errors } from './errors.ts';
import type { BroadcastChange } from './events.ts';
import { advanceKind } from './jobs/kinds.ts';
import type { BroadcastStatus, PausedBy } from './schema.ts';

/** States that no broadcast leaves. */
export const finalStates: ReadonlySet<BroadcastStatus> = new Set(['canceled', 'sent']);

/** The reason that a broadcast shows if it pauses because the guard holds marketing mail. */
export const heldReason = 'Marketing mail of the workspace is held. Resume after somebody has released it.';

/** The maximum delay of a mail after an outage, in milliseconds. With a longer delay, the broadcast pauses until a person decides. */
export const overdueMs = 12 * 3_600_000;

/** The broadcast, locked. @throws broadcast_not_found */
export async function lockBroadcast({ trx }: TransactionContext, id: string): Promise<BroadcastRow> {
  const row = await broadcastRows.lock(trx, id);
  if (row === undefined) throw errors.broadcast_not_found({ id });
  return row;
}

/** @throws state_conflict if the broadcast has another state */
export function requireState({ status }: BroadcastRow, states: readonly BroadcastStatus[], verb: string): void {
  if (states.includes(status)) return;
  throw coreErrors.state_conflict({
    reason: `The broadcast is ${status}, and only a broadcast that is ${states.join(' or ')} can be ${verb}.`,
  });
}

/** The broadcast as callers see it. */
export async function showBroadcast(ctx: TransactionContext, row: BroadcastRow): Promise<BroadcastResource> {
  const [shown] = await broadcasts.show(ctx, [row]);
  return shown as BroadcastResource;
}

type RowChanges = Partial<Omit<BroadcastRow, 'id' | 'version' | 'created_at' | 'updated_at'>>;

/** Changes a locked row. */
export const changeBroadcast = (
  ctx: TransactionContext,
  row: BroadcastRow,
  changes: RowChanges,
): Promise<BroadcastRow> =>
  broadcastRows.change(ctx.trx, row, { ...changes, version: row.version + 1, updated_at: ctx.now });

/** Emits the event of a change. */
export async function emitChange(ctx: TransactionContext, row: BroadcastRow, change: BroadcastChange): Promise<void> {
  await ctx.emitIfSubscribed(`broadcast.${change}`, () => showBroadcast(ctx, row));
}

/** Enqueues the job that advances the broadcast. An earlier job that waits gets the new time. */
export function enqueueAdvance({ enqueue, now }: TransactionContext, id: string, at: number = now): void {
  enqueue({ kind: advanceKind, payload: { broadcastId: id }, key: id, lane: 'bulk', runAt: at });
}

/** Stores when the next step is due, and enqueues it. The row is locked. */
export async function waitUntil(ctx: TransactionContext, id: string, at: number): Promise<void> {
  await broadcastRows.update(ctx.trx, id, { next_at: at });
  enqueueAdvance(ctx, id, at);
}

/** Pauses a broadcast that is preparing or sending. */
export async function pause(
  ctx: TransactionContext,
  row: BroadcastRow,
  by: PausedBy,
  error: string | null = null,
): Promise<BroadcastRow> {
  const after = await changeBroadcast(ctx, row, { status: 'paused', paused_by: by, error, next_at: null });
  await emitChange(ctx, after, 'paused');
  return after;
}

/** Records a transition in the audit that no call has caused. */
export function auditChange(ctx: TransactionContext, { id }: BroadcastRow, change: string, by?: string): void {
  ctx.audit(`broadcast.${change}`, { kind: 'broadcast', id }, by === undefined ? {} : { by });
}
