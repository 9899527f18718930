import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { broadcasts } from '../broadcasts.ts';
import { resetExperiment } from '../experiments/schema.ts';
import { advanceKind } from '../jobs/kinds.ts';
import { plannedMoment } from '../send-time.ts';
import { changeBroadcast, lockBroadcast, requireState, showBroadcast } from '../transitions.ts';
import { someDraft, someScheduled } from './fixture-rows.ts';

export const unscheduleBroadcast = defineOperation({
  id: 'broadcasts.unschedule',
  summary: 'Unschedule a broadcast',
  description:
    'Makes a scheduled broadcast a draft again, before its time has come. Scheduling it again freezes its content again.',
  http: 'POST /v1/broadcasts/{broadcastId}/unschedule',
  tool: 'unschedule_broadcast',
  scopes: ['broadcasts:send'],
  idempotency: 'replay',
  input: { params: z.object({ broadcastId: idParameter('brc') }) },
  output: broadcasts.item,
  errors: ['broadcast_not_found', 'state_conflict'],
  emits: [],
  audit: { action: 'broadcast.unschedule', target: ({ broadcastId: id }) => ({ kind: 'broadcast', id }) },
  fixture: async (kit) => ({
    params: { broadcastId: await someScheduled(kit, kit.workspaceId) },
    foreign: { broadcastId: await someScheduled(kit, kit.foreignWorkspaceId) },
    errors: { state_conflict: async (own) => ({ params: { broadcastId: await someDraft(own, own.workspaceId) } }) },
  }),

  async handler(ctx, { params: { broadcastId: id } }) {
    const row = await lockBroadcast(ctx, id);
    requireState(row, ['scheduled'], 'unscheduled');
    await ctx.cancelJob({ kind: advanceKind, key: id });
    const cleared = { frozen: null, template_version: null, content_hash: null, next_at: null };
    const experiment = resetExperiment(row.experiment);
    const draft = { status: 'draft' as const, ceiling: null, experiment, due_at: plannedMoment(row), ...cleared };
    return showBroadcast(ctx, await changeBroadcast(ctx, row, draft));
  },
});
