import { defineOperation, heldResponse, noteForReviewers, respond, z } from '../../../core/index.ts';
import { checkCredits, startBuilding } from '../building/start.ts';
import { decidedContent, editedStrategy, storeEdits } from '../edits.ts';
import { priceOf, showDetail, strategyKindId } from '../present.ts';
import { creationDetail, creationParams, strategyEdits } from '../schema.ts';
import { itemsOfCreation, lockCreation, stateConflict } from '../store.ts';
import { brokenCreation, draftedCreation, someCreation } from './fixture-rows.ts';

export const approveStrategy = defineOperation({
  id: 'creations.approve_strategy',
  summary: 'Approve the strategy of a creation',
  description:
    'Builds its items as drafts. The price of all items is reserved first, and charged item by item. edits change texts, dates and channels, and leave items out.',
  http: 'POST /v1/creations/{creationId}/approve-strategy',
  tool: 'approve_creation_strategy',
  scopes: ['campaigns:write'],
  idempotency: 'replay',
  input: { params: creationParams, body: z.object({ edits: strategyEdits.optional(), note: noteForReviewers }) },
  output: creationDetail,
  secondSuccess: heldResponse(creationDetail),
  contentKind: strategyKindId,
  errors: ['creation_not_found', 'creation_item_not_found', 'state_conflict', 'credits_exhausted', 'limit_reached'],
  emits: ['creation.ready', 'creation.failed', 'approval.requested', 'approval.decided', 'budget.reached'],
  audit: { action: 'creation.approve_strategy', target: ({ creationId }) => ({ kind: 'creation', id: creationId }) },
  fixture: async (kit) => ({
    params: { creationId: await draftedCreation(kit, kit.workspaceId) },
    body: {},
    foreign: {
      params: { creationId: await draftedCreation(kit, kit.foreignWorkspaceId) },
      body: { edits: { items: [{ itemId: (await brokenCreation(kit, kit.foreignWorkspaceId)).itemId, skip: true }] } },
    },
    errors: {
      creation_item_not_found: async (own) => ({
        params: { creationId: await draftedCreation(own, own.workspaceId) },
        body: { edits: { items: [{ itemId: 'itm_00000000000000000000000000', skip: true }] } },
      }),
      state_conflict: async (own) => ({ params: { creationId: await someCreation(own, own.workspaceId) } }),
      credits_exhausted: 'unreachable here: shown in test/plugins/creations.test.ts',
      limit_reached: 'unreachable here: shown in test/plugins/approvals.test.ts',
    },
  }),

  async handler(ctx, { params: { creationId }, body: { edits } }) {
    const creation = await lockCreation(ctx.trx, creationId);
    if (creation.status !== 'awaiting_approval') throw stateConflict(creation, ['awaiting_approval'], 'approved');
    const items = await itemsOfCreation(ctx.trx, creationId);
    const edited = editedStrategy(ctx, creation, items, edits);
    const planned = edited.items.filter(({ status }) => status === 'planned');
    await checkCredits(ctx, planned);
    const approval = await ctx.requireDecision(creationId, {
      content: () => ({ name: creation.name, content: decidedContent(edited), before: null }),
      credits: priceOf(planned, ctx.sandbox),
    });
    if (approval !== undefined) return respond(202, { ...(await showDetail(ctx, creation)), approval });
    const stored = await storeEdits(ctx, creation, items, edited);
    const row = await startBuilding(ctx, stored, planned, ctx.holds('links:write'));
    return showDetail(ctx, row);
  },
});
