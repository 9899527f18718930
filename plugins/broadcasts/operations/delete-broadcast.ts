import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { broadcastKindId, broadcastRows } from '../broadcasts.ts';
import { lockBroadcast, requireState } from '../transitions.ts';
import { someDraft, someScheduled } from './fixture-rows.ts';

export const deleteBroadcast = defineOperation({
  id: 'broadcasts.delete',
  summary: 'Delete a draft of a broadcast',
  description:
    'Only a draft can be deleted. A decision that waits for the draft is withdrawn. Another broadcast can then be made of its planned email.',
  http: 'DELETE /v1/broadcasts/{broadcastId}',
  tool: { name: 'delete_broadcast', destructive: true },
  scopes: ['broadcasts:write'],
  idempotency: 'natural',
  input: { params: z.object({ broadcastId: idParameter('brc') }) },
  output: z.object({ broadcastId: z.string(), deleted: z.literal(true) }),
  errors: ['broadcast_not_found', 'state_conflict'],
  emits: ['approval.decided'],
  audit: { action: 'broadcast.delete', target: ({ broadcastId: id }) => ({ kind: 'broadcast', id }) },
  fixture: async (kit) => ({
    params: { broadcastId: await someDraft(kit, kit.workspaceId) },
    foreign: { broadcastId: await someDraft(kit, kit.foreignWorkspaceId) },
    errors: { state_conflict: async (own) => ({ params: { broadcastId: await someScheduled(own, own.workspaceId) } }) },
  }),

  async handler(ctx, { params: { broadcastId } }) {
    const campaignId = (await broadcastRows.find(ctx.trx, broadcastId))?.campaign_id;
    // Locked first, because a change of the planned email locks the planned email before its broadcast.
    if (typeof campaignId === 'string') await ctx.services.campaigns.setBroadcast(ctx, campaignId, null);
    const row = await lockBroadcast(ctx, broadcastId);
    requireState(row, ['draft'], 'deleted');
    await ctx.contentChanged(broadcastKindId, [row.id]);
    await broadcastRows.remove(ctx.trx, row.id);
    return { broadcastId, deleted: true as const };
  },
});
