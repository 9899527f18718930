import { coreErrors, defineOperation, idParameter } from '../../../core/index.ts';
import { startBuilding } from '../building/start.ts';
import { errors } from '../errors.ts';
import { showDetail } from '../present.ts';
import { creationDetail, creationParams } from '../schema.ts';
import { itemsOfCreation, lockCreation, stateConflict } from '../store.ts';
import type { ItemRow } from '../tables.ts';
import { brokenCreation, readyCreation } from './fixture-rows.ts';

/** The item, and the items that failed only because of it. An item that also depends on another failed item is left out. */
function withBlocked(item: ItemRow, items: readonly ItemRow[]): readonly ItemRow[] {
  const retriedItems = new Map([[item.id, item]]);
  const failed = items.filter(({ status }) => status === 'failed');
  const isReady = ({ id, error, depends_on: uses }: ItemRow): boolean =>
    !retriedItems.has(id) &&
    error?.startsWith('It needs the') === true &&
    uses.some((usedId) => retriedItems.has(usedId)) &&
    failed.every((failedItem) => retriedItems.has(failedItem.id) || !uses.includes(failedItem.id));
  for (let next = failed.find(isReady); next !== undefined; next = failed.find(isReady))
    retriedItems.set(next.id, next);
  return [...retriedItems.values()];
}

export const retryItem = defineOperation({
  id: 'creations.retry_item',
  summary: 'Build a failed item again',
  description: 'Reserves its price again and builds it, with the items that failed because they need it.',
  http: 'POST /v1/creations/{creationId}/items/{itemId}/retry',
  tool: 'retry_creation_item',
  scopes: ['campaigns:write'],
  idempotency: 'replay',
  input: { params: creationParams.extend({ itemId: idParameter('itm') }) },
  output: creationDetail,
  status: 202,
  errors: ['creation_not_found', 'creation_item_not_found', 'state_conflict', 'credits_exhausted'],
  emits: ['creation.ready', 'creation.failed', 'budget.reached'],
  audit: { action: 'creation.retry_item', target: ({ creationId }) => ({ kind: 'creation', id: creationId }) },
  fixture: async (kit) => ({
    params: await brokenCreation(kit, kit.workspaceId),
    foreign: await brokenCreation(kit, kit.foreignWorkspaceId),
    errors: {
      creation_item_not_found: async (own) => {
        const { creationId } = await brokenCreation(own, own.workspaceId);
        return { params: { creationId, itemId: 'itm_00000000000000000000000000' } };
      },
      state_conflict: async (own) => ({ params: await readyCreation(own, own.workspaceId) }),
      credits_exhausted: 'unreachable here: shown in test/plugins/creations.test.ts',
    },
  }),

  async handler(ctx, { params: { creationId, itemId } }) {
    const creation = await lockCreation(ctx.trx, creationId);
    const items = await itemsOfCreation(ctx.trx, creationId);
    const item = items.find(({ id }) => id === itemId);
    if (item === undefined) throw errors.creation_item_not_found({ id: itemId, creationId });
    if (creation.status !== 'partially_ready' && creation.status !== 'failed')
      throw stateConflict(creation, ['partially_ready', 'failed'], 'built again');
    if (item.status !== 'failed')
      throw coreErrors.state_conflict({
        reason: `The item ${itemId} is ${item.status}: only a failed item can be built again.`,
      });
    const needed = item.depends_on.find((id) =>
      items.some((candidate) => candidate.id === id && candidate.status === 'failed'),
    );
    if (needed !== undefined)
      throw coreErrors.state_conflict({
        reason: `The item ${itemId} needs ${needed}, which failed. Retry ${needed}: this item is then built, too.`,
      });
    const mayLink = creation.may_link || ctx.holds('links:write');
    const row = await startBuilding(ctx, creation, withBlocked(item, items), mayLink);
    return showDetail(ctx, row);
  },
});
