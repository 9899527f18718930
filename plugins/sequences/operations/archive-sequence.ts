import { defineOperation, z } from '../../../core/index.ts';
import { lockSequence } from '../find-sequence.ts';
import { sequenceKindId } from '../kind-id.ts';
import { showSequence } from '../present.ts';
import { archiveRow } from '../publish/pause-archive.ts';
import { refuseCodeSequence } from '../publish/states.ts';
import { keyOrId, sequenceResource } from '../schema.ts';
import { someSequence } from './fixture-rows.ts';

export const archiveSequence = defineOperation({
  id: 'sequences.archive',
  summary: 'Archive a sequence',
  description:
    'Archives the sequence permanently. Active runs exit with the reason archived, soon after the call. The key stays taken. Archiving again changes nothing.',
  http: 'DELETE /v1/sequences/{keyOrId}',
  tool: { name: 'archive_sequence', destructive: true },
  scopes: ['sequences:write'],
  liveOnly: true,
  idempotency: 'natural',
  input: { params: z.object({ keyOrId }) },
  output: sequenceResource,
  errors: ['sequence_not_found', 'state_conflict'],
  emits: ['sequence_run.exited', 'approval.decided'],
  audit: { action: 'sequence.archive', target: ({ id }) => ({ kind: 'sequence', id }) },
  fixture: async (kit) => ({
    params: { keyOrId: await someSequence(kit, kit.workspaceId) },
    foreign: { keyOrId: await someSequence(kit, kit.foreignWorkspaceId) },
    errors: { state_conflict: 'unreachable here: shown in test/plugins/sequences-authoring.test.ts' },
  }),

  async handler(ctx, { params }) {
    const row = await lockSequence(ctx.trx, params.keyOrId);
    refuseCodeSequence(row);
    if (row.status === 'archived') return showSequence(ctx, row);
    const archived = await archiveRow(ctx, row);
    await ctx.contentChanged(sequenceKindId, [row.id]);
    return showSequence(ctx, archived);
  },
});
