import { coreErrors, defineOperation, idParameter, z } from '../../../core/index.ts';
import { openLocked } from '../engine/open-run.ts';
import { endRunEarly } from '../engine/store-decision.ts';
import { errors } from '../errors.ts';
import { showRun } from '../present.ts';
import { runResource } from '../schema.ts';
import { runRows } from '../tables.ts';
import { someRun } from './fixture-rows.ts';

export const cancelRun = defineOperation({
  id: 'sequences.run_cancel',
  summary: 'Cancel a run of a sequence',
  description:
    'Cancels the run permanently: it sends nothing more and cannot be resumed. Canceling it again changes nothing.',
  http: 'POST /v1/sequence-runs/{runId}/cancel',
  tool: { name: 'cancel_sequence_run', destructive: true },
  searchWords: ['person', 'leave', 'out', 'take'],
  scopes: ['sequences:trigger'],
  idempotency: 'replay',
  retryOnConflict: true,
  input: { params: z.object({ runId: idParameter('run') }) },
  output: runResource,
  errors: ['run_not_found', 'state_conflict'],
  emits: ['sequence_run.cancelled'],
  audit: { action: 'sequence_run.cancel', target: ({ runId }) => ({ kind: 'sequence_run', id: runId }) },
  fixture: async (kit) => ({
    params: { runId: await someRun(kit, kit.workspaceId) },
    foreign: { runId: await someRun(kit, kit.foreignWorkspaceId) },
    errors: { state_conflict: 'unreachable here: shown in test/plugins/sequences-runs.test.ts' },
  }),

  async handler(ctx, { params: { runId: id } }) {
    const run = await runRows.lock(ctx.trx, id);
    if (run === undefined) throw errors.run_not_found({ id });
    if (run.status === 'cancelled') return showRun(ctx, run);
    if (run.status !== 'active')
      throw coreErrors.state_conflict({ reason: `The run is ${run.status}: it has ended already.`, allowed: [] });
    const opened = await openLocked(ctx, run);
    return showRun(ctx, await endRunEarly(opened, 'cancelled', null), opened.written);
  },
});
