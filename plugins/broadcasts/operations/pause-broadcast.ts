import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { broadcasts } from '../broadcasts.ts';
import { lockBroadcast, pause, requireState, showBroadcast } from '../transitions.ts';
import { someDraft, somePreparing } from './fixture-rows.ts';

export const pauseBroadcast = defineOperation({
  id: 'broadcasts.pause',
  summary: 'Pause a broadcast',
  description:
    'Stops a broadcast that is being prepared or sent. Mail that was accepted and not handed over waits, too; mail that is being handed over at this moment still arrives.',
  http: 'POST /v1/broadcasts/{broadcastId}/pause',
  tool: 'pause_broadcast',
  scopes: ['broadcasts:send'],
  idempotency: 'replay',
  input: { params: z.object({ broadcastId: idParameter('brc') }) },
  output: broadcasts.item,
  errors: ['broadcast_not_found', 'state_conflict'],
  emits: ['broadcast.paused'],
  audit: { action: 'broadcast.pause', target: ({ broadcastId: id }) => ({ kind: 'broadcast', id }) },
  fixture: async (kit) => ({
    params: { broadcastId: await somePreparing(kit, kit.workspaceId) },
    foreign: { broadcastId: await somePreparing(kit, kit.foreignWorkspaceId) },
    errors: { state_conflict: async (own) => ({ params: { broadcastId: await someDraft(own, own.workspaceId) } }) },
  }),

  async handler(ctx, { params: { broadcastId: id } }) {
    const row = await lockBroadcast(ctx, id);
    requireState(row, ['preparing', 'sending'], 'paused');
    return showBroadcast(ctx, await pause(ctx, row, 'call'));
  },
});
