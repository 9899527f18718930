import { defineOperation, z } from '../../../core/index.ts';
import { lockSequence } from '../find-sequence.ts';
import { showSequence } from '../present.ts';
import { pauseRow } from '../publish/pause-archive.ts';
import { checkTransition, refuseCodeSequence } from '../publish/states.ts';
import { keyOrId, sequenceResource } from '../schema.ts';
import { someDraft, someSequence } from './fixture-rows.ts';

export const pauseSequence = defineOperation({
  id: 'sequences.pause',
  summary: 'Pause a sequence',
  description:
    'Contacts can no longer enter, and runs perform no steps. Delays continue, and matching events are recorded: after resuming, the setting overdue decides about late sends. Enrolments of lists are canceled.',
  http: 'POST /v1/sequences/{keyOrId}/pause',
  tool: 'pause_sequence',
  scopes: ['sequences:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: { params: z.object({ keyOrId }) },
  output: sequenceResource,
  errors: ['sequence_not_found', 'state_conflict'],
  audit: { action: 'sequence.pause', target: ({ id }) => ({ kind: 'sequence', id }) },
  fixture: async (kit) => ({
    params: { keyOrId: await someSequence(kit, kit.workspaceId) },
    foreign: { keyOrId: await someSequence(kit, kit.foreignWorkspaceId) },
    errors: { state_conflict: async (own) => ({ params: { keyOrId: await someDraft(own, own.workspaceId) } }) },
  }),

  async handler(ctx, { params }) {
    const row = await lockSequence(ctx.trx, params.keyOrId);
    refuseCodeSequence(row);
    checkTransition(row, 'pause');
    return showSequence(ctx, await pauseRow(ctx, row));
  },
});
