// `ctx.services.broadcasts`: lets other plugins make drafts of broadcasts, and list broadcasts by date.
import type { TimeSpan, TransactionContext, WorkspaceHandle } from '../../core/index.ts';
import { type BroadcastRow, broadcastHeads, plannedRows } from './broadcasts.ts';
import { createDraft, type NewBroadcast } from './draft.ts';
import type { BroadcastStatus } from './schema.ts';

/** A broadcast in a calendar. */
export interface PlannedBroadcast {
  readonly id: string;
  readonly name: string;
  readonly status: BroadcastStatus;
  /** The time at which its first mail leaves or has left, in milliseconds since the epoch. */
  readonly at: number;
}

/** `ctx.services.broadcasts`. Only present if the broadcasts plugin is composed. */
export interface BroadcastsService {
  /** Creates a draft. Nothing is sent before people schedule it. @throws limit_reached */
  createDraft(ctx: TransactionContext, input: NewBroadcast): Promise<BroadcastRow>;
  /** The statuses of these broadcasts of the handle's side, by id. */
  statusesOf(handle: WorkspaceHandle, ids: readonly string[]): Promise<ReadonlyMap<string, BroadcastStatus>>;
  /** Broadcasts with a time in this span, in order of time. Canceled broadcasts are left out. */
  plannedBetween(handle: WorkspaceHandle, span: TimeSpan): Promise<readonly PlannedBroadcast[]>;
}

export const createBroadcastsService = (): BroadcastsService => ({
  createDraft,

  async statusesOf(handle, ids) {
    const rows = await broadcastHeads.findIn(handle, 'id', ids);
    return new Map(rows.map(({ id, status }) => [id, status]));
  },

  async plannedBetween(handle, span) {
    const rows = await plannedRows.between(handle, {
      ...span,
      time: 'due_at',
      conditions: (columns) => [columns('status', '!=', 'canceled')],
    });
    return rows.map(({ id, name, status, due_at: at }) => ({ id, name, status, at: at ?? 0 }));
  },
});
