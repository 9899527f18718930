import { coreErrors, defineOperation, idParameter, z } from '../../../core/index.ts';
import { outsideDomain } from '../../../core/unstable.ts';
import { openLocked } from '../engine/open-run.ts';
import { storeDecision } from '../engine/store-decision.ts';
import { errors } from '../errors.ts';
import { findHead } from '../find-sequence.ts';
import { showRun } from '../present.ts';
import { runResource } from '../schema.ts';
import { runRows } from '../tables.ts';
import { someEndedRun, someRunOf, someSequence } from './fixture-rows.ts';

export const transitionRun = defineOperation({
  id: 'sequences.transition',
  summary: 'Move a run of a sequence',
  description:
    'Moves an active run to a node of its version, or along an edge of its current node. The current step is skipped, and the step of the new node is performed at once.',
  http: 'POST /v1/sequences/{id}/transition',
  tool: 'transition_sequence_run',
  scopes: ['sequences:trigger'],
  idempotency: 'replay',
  retryOnConflict: true,
  input: {
    params: z.object({ id: z.string().min(1).max(100).describe('The key of the sequence, or its id.') }),
    body: z.object({
      runId: idParameter('run'),
      nodeId: z.string().min(1).max(60).optional().describe('The node to go to; or give edge.'),
      edge: z.string().min(1).max(20).optional().describe('The edge to take, such as next or timeout; or give nodeId.'),
      reason: z.string().min(1).max(200).describe('Why, for the history of the run.'),
    }),
  },
  output: runResource,
  errors: ['sequence_not_found', 'run_not_found', 'state_conflict'],
  emits: ['sequence_run.step_skipped', 'sequence_run.completed', 'sequence_run.exited', 'sequence_run.failed'],
  // The run may reach a node that sends, even repeatedly, so the leash is checked.
  leash: {
    recipients: () => 1,
    async disallowedRecipient(ctx, { body: { runId } }, allowed) {
      const { contact_id: id = null } = (await runRows.find(ctx.trx, runId)) ?? {};
      if (id === null) return undefined;
      return outsideDomain(await ctx.services.contacts.addressesOf(ctx.trx, { id }), allowed);
    },
  },
  audit: { action: 'sequence_run.transition', target: ({ runId }) => ({ kind: 'sequence_run', id: runId }) },
  fixture: async (kit) => {
    const id = await someSequence(kit, kit.workspaceId);
    const runId = await someRunOf(kit, kit.workspaceId, id);
    const foreignId = await someSequence(kit, kit.foreignWorkspaceId);
    return {
      params: { id },
      body: { runId, nodeId: 'mark', reason: 'Paid early.' },
      foreign: {
        params: { id: foreignId },
        body: {
          runId: await someRunOf(kit, kit.foreignWorkspaceId, foreignId),
          nodeId: 'skipped: a node of the sequence in the path',
        },
      },
      errors: {
        run_not_found: async () => ({
          body: { runId: 'run_01ARZ3NDEKTSV4RRFFQ69G5FAV', nodeId: 'mark', reason: 'Paid early.' },
        }),
        async state_conflict(own) {
          const ended = await someEndedRun(own, own.workspaceId);
          const { sequenceKey } = await own.call('sequences.run_read', { runId: ended });
          const body = { runId: ended, nodeId: 'mark', reason: 'Too late.' };
          return { params: { id: String(sequenceKey) }, body };
        },
      },
    };
  },

  async handler(ctx, { params: { id }, body: { runId, nodeId, edge, reason } }) {
    const sequence = await findHead(ctx.trx, id);
    if ((nodeId === undefined) === (edge === undefined))
      ctx.refuse([{ path: 'nodeId', code: 'one_of', message: 'Give either nodeId or edge.' }]);
    const run = await runRows.lock(ctx.trx, runId);
    if (run === undefined || run.sequence_id !== sequence.id) throw errors.run_not_found({ id: runId });
    if (run.status !== 'active' || run.state === null)
      throw coreErrors.state_conflict({ reason: `The run is ${run.status}: it has ended already.`, allowed: [] });
    const opened = await openLocked(ctx, run);
    const target = nodeId === undefined ? { edge: edge ?? '' } : { nodeId };
    const result = opened.version.interpreter.transition(run.state, target, ctx.now, reason);
    if (result.ok) return showRun(ctx, storeDecision(opened, result.decision), opened.written);
    const path = nodeId === undefined ? 'edge' : 'nodeId';
    throw coreErrors.validation_failed(
      { summary: result.fault },
      { details: [{ path, code: 'unknown', message: result.fault }] },
    );
  },
});
