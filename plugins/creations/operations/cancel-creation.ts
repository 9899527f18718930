import { defineOperation } from '../../../core/index.ts';
import { buildItemKind, strategyKind } from '../building/kinds.ts';
import { showDetail, strategyKindId } from '../present.ts';
import { creationDetail, creationParams } from '../schema.ts';
import { creationStates } from '../states.ts';
import { itemsOfCreation, lockCreation, stateConflict } from '../store.ts';
import { creationRows, itemRows } from '../tables.ts';
import { rejectedCreation, someCreation } from './fixture-rows.ts';

export const cancelCreation = defineOperation({
  id: 'creations.cancel',
  summary: 'Cancel a creation',
  description:
    'Possible until it is live. Building stops and reserved credits are released; drafts that were already built stay.',
  http: 'POST /v1/creations/{creationId}/cancel',
  tool: { name: 'cancel_creation', destructive: true },
  scopes: ['campaigns:write'],
  idempotency: 'replay',
  input: { params: creationParams },
  output: creationDetail,
  errors: ['creation_not_found', 'state_conflict'],
  emits: ['approval.decided'],
  audit: { action: 'creation.cancel', target: ({ creationId }) => ({ kind: 'creation', id: creationId }) },
  fixture: async (kit) => ({
    params: { creationId: await someCreation(kit, kit.workspaceId) },
    foreign: { creationId: await someCreation(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async (own) => ({ params: { creationId: await rejectedCreation(own, own.workspaceId) } }),
    },
  }),

  async handler(ctx, { params: { creationId } }) {
    const { trx, now } = ctx;
    const creation = await lockCreation(trx, creationId);
    if (creation.status === 'canceled') return showDetail(ctx, creation);
    if (!creationStates.next(creation.status).includes('canceled'))
      throw stateConflict(creation, creationStates.sources('canceled'), 'canceled');
    await ctx.cancelJob({ key: creationId, kind: strategyKind });
    for (const item of await itemsOfCreation(trx, creationId)) {
      if (item.status !== 'planned') continue;
      await ctx.cancelJob({ key: item.id, kind: buildItemKind });
      if (item.hold_id !== null) await ctx.release(item.hold_id);
      const error = 'The creation was canceled.';
      await itemRows.update(trx, item.id, { status: 'skipped', hold_id: null, error, updated_at: now });
    }
    await ctx.contentChanged(strategyKindId, [creationId]);
    const row = await creationRows.change(trx, creation, { status: 'canceled', ended_at: now, updated_at: now });
    return showDetail(ctx, row);
  },
});
