import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { broadcasts } from '../broadcasts.ts';
import {
  changeBroadcast,
  emitChange,
  enqueueAdvance,
  lockBroadcast,
  requireState,
  showBroadcast,
} from '../transitions.ts';
import { someDraft, someScheduled } from './fixture-rows.ts';

export const cancelBroadcast = defineOperation({
  id: 'broadcasts.cancel',
  summary: 'Cancel a broadcast',
  description: 'Ends a broadcast for good. Mails that were not handed over are canceled; others stay in the counts.',
  http: 'POST /v1/broadcasts/{broadcastId}/cancel',
  tool: { name: 'cancel_broadcast', destructive: true },
  scopes: ['broadcasts:send'],
  idempotency: 'replay',
  input: { params: z.object({ broadcastId: idParameter('brc') }) },
  output: broadcasts.item,
  errors: ['broadcast_not_found', 'state_conflict'],
  emits: ['broadcast.canceled', 'send.canceled'],
  audit: { action: 'broadcast.cancel', target: ({ broadcastId: id }) => ({ kind: 'broadcast', id }) },
  fixture: async (kit) => ({
    params: { broadcastId: await someScheduled(kit, kit.workspaceId) },
    foreign: { broadcastId: await someScheduled(kit, kit.foreignWorkspaceId) },
    errors: { state_conflict: async (own) => ({ params: { broadcastId: await someDraft(own, own.workspaceId) } }) },
  }),

  async handler(ctx, { params: { broadcastId: id } }) {
    const row = await lockBroadcast(ctx, id);
    requireState(row, ['scheduled', 'preparing', 'sending', 'paused'], 'canceled');
    const endedColumns = { paused_by: null, error: null, next_at: null, finished_at: ctx.now };
    const canceled = await changeBroadcast(ctx, row, { status: 'canceled', ...endedColumns });
    // A job cancels the recipients, because they may be too many for one transaction.
    enqueueAdvance(ctx, id);
    await emitChange(ctx, canceled, 'canceled');
    return showBroadcast(ctx, canceled);
  },
});
