import {
  defineOperation,
  heldResponse,
  idParameter,
  noteForReviewers,
  type ReadContext,
  respond,
  z,
} from '../../../core/index.ts';
import { outsideDomain } from '../../../core/unstable.ts';
import { audienceAddresses, countAudience, defaultCeiling } from '../audience.ts';
import { broadcastKindId, broadcastRows, broadcasts } from '../broadcasts.ts';
import { freezeAudience } from '../checks/faults.ts';
import { contentOf, hashOf } from '../content.ts';
import { errors } from '../errors.ts';
import { checkWithExperiment } from '../experiments/checks.ts';
import { startedExperiment } from '../experiments/schema.ts';
import type { FrozenAudience } from '../frozen.ts';
import { sendAtSchema } from '../schema.ts';
import { firstMoment, plannedMoment } from '../send-time.ts';
import {
  changeBroadcast,
  emitChange,
  enqueueAdvance,
  lockBroadcast,
  requireState,
  showBroadcast,
} from '../transitions.ts';
import { emptyDraft, someDraft, someScheduled } from './fixture-rows.ts';

/** The audience of a draft; undefined if it has none. */
async function audienceOf(ctx: ReadContext, broadcastId: string): Promise<FrozenAudience | undefined> {
  const row = await broadcastRows.find(ctx.trx, broadcastId);
  return row === undefined || row.audience === null ? undefined : freezeAudience(ctx, row.audience);
}

export const scheduleBroadcast = defineOperation({
  id: 'broadcasts.schedule',
  summary: 'Schedule a broadcast',
  description:
    'Checks the draft, reports every fault at once, and freezes the version of its template and the filters of its segments. Without sendAt here and in the draft, it begins at once. A policy may hold it: until the decision it stays a draft.',
  http: 'POST /v1/broadcasts/{broadcastId}/schedule',
  tool: { name: 'schedule_broadcast', openWorld: true },
  scopes: ['broadcasts:send'],
  instead: { 'approvals.submit': 'ask for an approval, so that another key may schedule it' },
  idempotency: 'replay',
  input: {
    params: z.object({ broadcastId: idParameter('brc') }),
    body: z.object({
      sendAt: sendAtSchema.nullable().optional().describe('Replaces the sendAt of the draft; null: at once.'),
      ceiling: z
        .int()
        .min(1)
        .max(100_000_000)
        .optional()
        .describe(
          'A larger audience pauses the broadcast before its first mail. (Default: the audience now, and a tenth)',
        ),
      note: noteForReviewers,
    }),
  },
  output: broadcasts.item,
  secondSuccess: heldResponse(broadcasts.item),
  contentKind: broadcastKindId,
  errors: ['broadcast_not_found', 'broadcast_invalid', 'state_conflict', 'limit_reached'],
  emits: [
    ...['broadcast.scheduled', 'broadcast.started', 'broadcast.paused', 'broadcast.sent', 'send.queued'],
    ...['approval.requested', 'approval.decided', 'budget.reached'],
  ],
  leash: {
    recipients: async (ctx, { params }) => {
      const audience = await audienceOf(ctx, params.broadcastId);
      return audience === undefined ? 0 : countAudience(ctx, audience);
    },
    disallowedRecipient: async (ctx, { params }, allowed) => {
      const audience = await audienceOf(ctx, params.broadcastId);
      if (audience === undefined) return undefined;
      for await (const addresses of audienceAddresses(ctx, audience)) {
        const outside = outsideDomain(addresses, allowed);
        if (outside !== undefined) return outside;
      }
      return undefined;
    },
    canWait: true,
  },
  audit: { action: 'broadcast.schedule', target: ({ broadcastId: id }) => ({ kind: 'broadcast', id }) },
  fixture: async (kit) => ({
    params: { broadcastId: await someDraft(kit, kit.workspaceId) },
    body: { sendAt: null },
    foreign: { params: { broadcastId: await someDraft(kit, kit.foreignWorkspaceId) } },
    errors: {
      broadcast_invalid: async (own) => ({ params: { broadcastId: await emptyDraft(own, own.workspaceId) } }),
      state_conflict: async (own) => ({ params: { broadcastId: await someScheduled(own, own.workspaceId) } }),
      limit_reached: 'unreachable here: shown in test/plugins/approvals.test.ts',
    },
  }),

  async handler(ctx, { params: { broadcastId: id }, body: { sendAt, ceiling } }) {
    const draft = await lockBroadcast(ctx, id);
    requireState(draft, ['draft'], 'scheduled');
    // After a decision, the ceiling stays as it was decided on.
    const decidedCeiling = ctx.approvedRequest === undefined ? null : draft.ceiling;
    const candidate = {
      ...draft,
      send_at: sendAt === undefined ? draft.send_at : sendAt,
      ceiling: ceiling ?? decidedCeiling,
    };
    const { faults, frozen, audience } = await checkWithExperiment(ctx, candidate);
    const [first] = faults;
    if (first !== undefined || frozen === undefined)
      throw errors.broadcast_invalid({ faults: faults.length, first: first?.message ?? '' }, { details: [...faults] });
    const decided = {
      send_at: candidate.send_at,
      due_at: plannedMoment(candidate),
      ceiling: candidate.ceiling ?? defaultCeiling(audience),
    };
    const row = { ...draft, ...decided };
    const content = await contentOf(ctx, row);
    const dueAt = firstMoment(row, ctx.now);
    const approval = await ctx.requireDecision(id, {
      content: () => content,
      summary: `Send the broadcast ${row.name} to ${audience} contacts`,
      ...(row.send_at === null ? {} : { publishesAt: dueAt }),
    });
    if (approval !== undefined) {
      const isSame = draft.send_at === row.send_at && draft.ceiling === row.ceiling;
      const held = isSame ? draft : await changeBroadcast(ctx, draft, decided);
      return respond(202, { ...(await showBroadcast(ctx, held)), approval });
    }
    const scheduled = await changeBroadcast(ctx, draft, {
      ...decided,
      status: 'scheduled',
      template_version: frozen.template.version,
      content_hash: hashOf(content),
      frozen,
      experiment: startedExperiment(row.experiment),
      due_at: dueAt,
      next_at: dueAt,
    });
    enqueueAdvance(ctx, id, dueAt);
    await emitChange(ctx, scheduled, 'scheduled');
    ctx.note({ audience, ceiling: scheduled.ceiling ?? 0 });
    return showBroadcast(ctx, scheduled);
  },
});
