// Builds one item. Its texts are written outside a transaction; the object, its id and the item's end are stored in one transaction. A
// retry after a crash writes the texts again, and still stores only one object.
import { defineJob, isPostriderError, type JobContext, z } from '../../../core/index.ts';
import { itemsOfCreation } from '../store.ts';
import { type CreationRow, creationRows, type ItemRow, itemRows } from '../tables.ts';
import type { BuildInput, BuildPlan } from './build-input.ts';
import { endItem } from './finish.ts';
import { buildItemKind } from './kinds.ts';
import { makers } from './makers.ts';

const order = z.object({ creationId: z.string(), itemId: z.string() });
type Order = z.output<typeof order>;
type TransactionContext = Parameters<NonNullable<Parameters<JobContext['checkpoint']>[0]>>[0];

async function buildInputOf(ctx: JobContext, { creationId, itemId }: Order): Promise<BuildInput | undefined> {
  return ctx.read(async ({ trx }) => {
    const creation = await creationRows.find(trx, creationId);
    const items = await itemsOfCreation(trx, creationId);
    const item = items.find(({ id }) => id === itemId);
    if (creation?.status !== 'building' || item?.status !== 'planned') return undefined;
    const used = items.filter(({ id, status }) => item.depends_on.includes(id) && status === 'built');
    return { creation, item, used, defaults: await ctx.services.marketing.defaults(trx) };
  });
}

/** Locks the creation, and returns it with the item; undefined if the item no longer waits to be built. */
async function lockPlanned({ trx }: TransactionContext, { creationId, itemId }: Order) {
  const creation = await creationRows.lock(trx, creationId);
  const item = await itemRows.find(trx, itemId);
  return creation?.status === 'building' && item?.status === 'planned' ? { creation, item } : undefined;
}

const endWith =
  (order: Order, status: 'failed' | 'skipped', error: string) =>
  async (ctx: TransactionContext): Promise<void> => {
    const planned = await lockPlanned(ctx, order);
    if (planned !== undefined) await endItem(ctx, planned.creation, planned.item, { status, error });
  };

async function store(
  ctx: TransactionContext,
  planned: { readonly creation: CreationRow; readonly item: ItemRow },
  prepared: Exclude<BuildPlan, { skipped: string }>,
): Promise<void> {
  const { creation, item } = planned;
  // If another plugin charges for the item, release the hold first, so that the credits are available.
  const { hold_id: holdId } = item;
  if (holdId !== null && chargesItself.has(item.kind)) await ctx.release(holdId);
  const { target, isBuilding = false, chargesItself: paysItself = false } = await prepared.store(ctx);
  if (isBuilding) {
    const set = { status: 'building', target_kind: target.kind, target_id: target.id, hold_id: null } as const;
    await itemRows.update(ctx.trx, item.id, { ...set, updated_at: ctx.now });
    return;
  }
  const endedItem = paysItself ? { ...item, hold_id: null } : item;
  await endItem(ctx, creation, endedItem, { status: 'built', target });
}

const chargesItself: ReadonlySet<ItemRow['kind']> = new Set(['link', 'page']);

export const buildItem = defineJob({
  kind: buildItemKind,
  payload: order,
  retryDelaysMs: [10_000, 60_000],
  timeoutMs: 300_000,

  async handler(ctx, jobOrder) {
    const input = await buildInputOf(ctx, jobOrder);
    if (input === undefined) return ctx.complete();
    let refusal: string;
    try {
      const prepared = await makers[input.item.kind](ctx, input);
      ctx.ports.phase('creation.item_written', jobOrder.itemId);
      if ('skipped' in prepared) return await ctx.complete(endWith(jobOrder, 'skipped', prepared.skipped));
      return await ctx.complete(async (tx) => {
        const planned = await lockPlanned(tx, jobOrder);
        if (planned !== undefined) await store(tx, planned, prepared);
      });
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      refusal = error.message;
    }
    await ctx.complete(endWith(jobOrder, 'failed', refusal));
  },

  afterExhausted:
    'The item is failed, and the creation says so. Retry it with POST /v1/creations/{creationId}/items/{itemId}/retry.',

  async exhausted(ctx, jobOrder, reason) {
    ctx.enqueue({ kind: endItemKind, payload: { ...jobOrder, reason } });
  },
});

const endItemKind = 'creations.end_item';

/** Fails an item after its last attempt. This is a separate job because `exhausted` has no services. */
export const endItemJob = defineJob({
  kind: endItemKind,
  payload: order.extend({ reason: z.string() }),
  async handler(ctx, { reason, ...jobOrder }) {
    await ctx.complete(endWith(jobOrder, 'failed', `It could not be built: ${reason}`));
  },
});
