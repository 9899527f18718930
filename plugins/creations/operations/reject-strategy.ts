import { coreErrors, defineOperation, z } from '../../../core/index.ts';
import { strategyKind } from '../building/kinds.ts';
import { showDetail, strategyKindId } from '../present.ts';
import { creationDetail, creationParams } from '../schema.ts';
import { itemsOfCreation, lockCreation, stateConflict } from '../store.ts';
import { creationRows } from '../tables.ts';
import { draftedCreation, someCreation } from './fixture-rows.ts';

/** The maximum number of times that a strategy can be drafted again. */
const maxRevisions = 5;

export const rejectStrategy = defineOperation({
  id: 'creations.reject_strategy',
  summary: 'Reject the strategy of a creation',
  description: `Rejects the strategy permanently. With revise: true and a comment, it is drafted again, at most ${maxRevisions} times. A failed draft can be drafted again, too.`,
  http: 'POST /v1/creations/{creationId}/reject-strategy',
  tool: { name: 'reject_creation_strategy', destructive: true },
  scopes: ['campaigns:write'],
  idempotency: 'replay',
  input: {
    params: creationParams,
    body: z.object({
      comment: z
        .string()
        .trim()
        .min(1)
        .max(2_000)
        .optional()
        .describe('What should be different. Required with revise.'),
      revise: z.boolean().default(false),
    }),
  },
  output: creationDetail,
  errors: ['creation_not_found', 'state_conflict'],
  emits: ['approval.decided'],
  audit: { action: 'creation.reject_strategy', target: ({ creationId }) => ({ kind: 'creation', id: creationId }) },
  fixture: async (kit) => ({
    params: { creationId: await draftedCreation(kit, kit.workspaceId) },
    body: { revise: true, comment: 'Fewer posts, and mention the open day.' },
    foreign: { creationId: await draftedCreation(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async (own) => ({ params: { creationId: await someCreation(own, own.workspaceId) } }),
    },
  }),

  async handler(ctx, { params: { creationId }, body: { comment, revise } }) {
    const creation = await lockCreation(ctx.trx, creationId);
    const isDrafted = (await itemsOfCreation(ctx.trx, creationId)).some(({ status }) => status === 'failed');
    const failedDraft = creation.status === 'failed' && !isDrafted;
    if (creation.status !== 'awaiting_approval' && !(revise && failedDraft))
      throw stateConflict(creation, ['awaiting_approval'], 'rejected');
    if (revise && comment === undefined)
      ctx.refuse([{ path: 'comment', code: 'required', message: 'Describe the changes to make.' }]);
    if (revise && creation.revision >= maxRevisions)
      throw coreErrors.state_conflict({
        reason: `The strategy has already been drafted again ${maxRevisions} times. Approve it with edits, or reject it for good.`,
      });
    await ctx.contentChanged(strategyKindId, [creationId]);
    const revision = creation.revision + 1;
    const row = await creationRows.change(
      ctx.trx,
      creation,
      revise
        ? { status: 'drafting_strategy', revision, comment: comment ?? null, error: null, updated_at: ctx.now }
        : { status: 'rejected', comment: comment ?? null, error: null, ended_at: ctx.now, updated_at: ctx.now },
    );
    if (revise) ctx.enqueue({ kind: strategyKind, payload: { creationId, revision }, key: creationId });
    return showDetail(ctx, row);
  },
});
