import { defineOperation, z } from '../../../core/index.ts';
import { disallowedActiveDomain } from '../disallowed-active-domain.ts';
import { findHead, lockSequence } from '../find-sequence.ts';
import { continueRunsKind } from '../jobs/kinds.ts';
import { showSequence } from '../present.ts';
import { checkPermissions } from '../publish/permissions.ts';
import { checkTransition, refuseCodeSequence } from '../publish/states.ts';
import { keyOrId, sequenceResource } from '../schema.ts';
import { sequenceRows } from '../tables.ts';
import { totalsOf } from '../tallies.ts';
import { somePaused, someSequence } from './fixture-rows.ts';

const noTier = 'unreachable here: shown in test/plugins/sequences-social-events.test.ts' as const;

export const resumeSequence = defineOperation({
  id: 'sequences.resume',
  summary: 'Resume a sequence',
  description:
    'Needs the same scopes and plan as publishing the version. Steps that came due during the pause are performed now; the setting overdue decides about late sends.',
  http: 'POST /v1/sequences/{keyOrId}/resume',
  tool: 'resume_sequence',
  scopes: ['sequences:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: { params: z.object({ keyOrId }) },
  output: sequenceResource,
  errors: ['sequence_not_found', 'state_conflict', 'plan_required'],
  // Every active run continues and may send, so its contacts are recipients.
  leash: {
    async recipients(ctx, { params }) {
      const { id, status } = await findHead(ctx.trx, params.keyOrId);
      return status === 'paused' ? ((await totalsOf(ctx.trx, [id])).get(id)?.active ?? 0) : 0;
    },
    async disallowedRecipient(ctx, { params }, allowed) {
      const { id, status } = await findHead(ctx.trx, params.keyOrId);
      return status === 'paused' ? disallowedActiveDomain(ctx.trx, id, allowed) : undefined;
    },
  },
  audit: { action: 'sequence.resume', target: ({ id }) => ({ kind: 'sequence', id }) },
  fixture: async (kit) => ({
    params: { keyOrId: await somePaused(kit, kit.workspaceId) },
    foreign: { keyOrId: await somePaused(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async (own) => ({ params: { keyOrId: await someSequence(own, own.workspaceId) } }),
      plan_required: noTier,
    },
  }),

  async handler(ctx, { params }) {
    const row = await lockSequence(ctx.trx, params.keyOrId);
    refuseCodeSequence(row);
    checkTransition(row, 'resume');
    if (row.version_id !== null)
      checkPermissions(ctx, (await ctx.services.sequenceVersions.load(ctx.trx, row.version_id)).definition);
    const resumed = await sequenceRows.change(ctx.trx, row, { status: 'published', updated_at: ctx.now });
    for (const sandbox of ctx.sandbox ? [true] : [false, true])
      ctx.enqueue({ kind: continueRunsKind, payload: { sequenceId: row.id }, sandbox });
    return showSequence(ctx, resumed);
  },
});
