import {
  coreErrors,
  defineOperation,
  heldResponse,
  idParameter,
  noteForReviewers,
  respond,
  z,
} from '../../../core/index.ts';
import { broadcastKindId, broadcastRows, broadcasts } from '../broadcasts.ts';
import { contentOf, hashOf } from '../content.ts';
import { deliverParked } from '../engine/cancel.ts';
import { countsOf } from '../tallies.ts';
import {
  changeBroadcast,
  emitChange,
  enqueueAdvance,
  lockBroadcast,
  requireState,
  showBroadcast,
} from '../transitions.ts';
import { someDraft, somePaused } from './fixture-rows.ts';

export const resumeBroadcast = defineOperation({
  id: 'broadcasts.resume',
  summary: 'Resume a broadcast',
  description:
    'Continues a paused broadcast where it stopped. If its audience exceeds the ceiling, give a higher one; a policy may hold that. Refused while marketing mail of the workspace is held.',
  http: 'POST /v1/broadcasts/{broadcastId}/resume',
  tool: { name: 'resume_broadcast', openWorld: true },
  scopes: ['broadcasts:send'],
  idempotency: 'replay',
  input: {
    params: z.object({ broadcastId: idParameter('brc') }),
    body: z.object({
      ceiling: z.int().min(1).max(100_000_000).optional().describe('A higher ceiling. (Default: as scheduled)'),
      note: noteForReviewers,
    }),
  },
  output: broadcasts.item,
  secondSuccess: heldResponse(broadcasts.item),
  contentKind: broadcastKindId,
  errors: ['broadcast_not_found', 'state_conflict', 'limit_reached'],
  emits: [
    ...['broadcast.resumed', 'broadcast.paused', 'broadcast.sent', 'send.queued'],
    ...['approval.requested', 'approval.decided', 'budget.reached'],
  ],
  leash: {
    recipients: async (ctx, { params, body }) => {
      const row = await broadcastRows.find(ctx.trx, params.broadcastId);
      return Math.max(0, (body.ceiling ?? 0) - (row?.ceiling ?? 0));
    },
    canWait: true,
  },
  audit: { action: 'broadcast.resume', target: ({ broadcastId: id }) => ({ kind: 'broadcast', id }) },
  fixture: async (kit) => ({
    params: { broadcastId: await somePaused(kit, kit.workspaceId) },
    body: {},
    foreign: { broadcastId: await somePaused(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async (own) => ({ params: { broadcastId: await someDraft(own, own.workspaceId) } }),
      limit_reached: 'unreachable here: shown in test/plugins/approvals.test.ts',
    },
  }),

  async handler(ctx, { params: { broadcastId: id }, body }) {
    const row = await lockBroadcast(ctx, id);
    requireState(row, ['paused'], 'resumed');
    if (await ctx.services.reputation.isHeld(ctx.trx))
      throw coreErrors.state_conflict({
        reason: 'Marketing mail of the workspace is held. Somebody must release it first.',
      });
    const ceiling = Math.max(body.ceiling ?? 0, row.ceiling ?? 0);
    const { audience } = (await countsOf(ctx.trx, [id]))(id);
    if (row.prepared_at !== null && audience > ceiling)
      throw coreErrors.state_conflict({
        reason: `The audience has ${audience} contacts, more than the ceiling of ${ceiling}. Give a higher ceiling.`,
      });
    const raised = { ...row, ceiling };
    const content = await contentOf(ctx, raised);
    const isHigher = ceiling > (row.ceiling ?? 0);
    const approval = isHigher
      ? await ctx.requireDecision(id, {
          content: () => content,
          summary: `Resume the broadcast ${row.name} with a ceiling of ${ceiling} contacts`,
        })
      : undefined;
    if (approval !== undefined) return respond(202, { ...(await showBroadcast(ctx, row)), approval });
    const isPrepared = row.prepared_at !== null;
    const resumed = await changeBroadcast(ctx, row, {
      status: isPrepared ? 'sending' : 'preparing',
      started_at: row.started_at ?? ctx.now,
      ...{ ceiling, paused_by: null, error: null, next_at: ctx.now },
      ...(isHigher ? { content_hash: hashOf(content) } : {}),
      // The pace starts again, so that the mails of the pause do not leave in a burst.
      pace_from: ctx.now,
      pace_used: 0,
    });
    await deliverParked(ctx, id);
    enqueueAdvance(ctx, id);
    await emitChange(ctx, resumed, 'resumed');
    return showBroadcast(ctx, resumed);
  },
});
