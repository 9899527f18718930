import { defineOperation, z } from '../../../core/index.ts';
import { lockSequence } from '../find.ts';
import { showSequence } from '../present.ts';
import { notOfCode } from '../publish/states.ts';
import { archiveRow } from '../publish/stop.ts';
import { keyOrId, sequenceResource } from '../schema.ts';
import { surfaceKind } from '../surface.ts';
import { someSequence } from './fixture-rows.ts';

export const archiveSequence = defineOperation({
  id: 'sequences.archive',
  summary: 'Archive a sequence',
  description:
    'For good. Active runs exit with the reason archived, soon after the call. The key stays taken. Archiving again changes nothing.',
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
    notOfCode(row);
    if (row.status === 'archived') return showSequence(ctx, row);
    const after = await archiveRow(ctx, row);
    await ctx.contentChanged(surfaceKind, [row.id]);
    return showSequence(ctx, after);
  },
});
