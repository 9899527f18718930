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

async function settingOf(ctx: JobContext, { creationId, itemId }: Order): Promise<BuildInput | undefined> {
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

const ends =
  (order: Order, status: 'failed' | 'skipped', error: string) =>
  async (ctx: TransactionContext): Promise<void> => {
    const found = await lockPlanned(ctx, order);
    if (found !== undefined) await endItem(ctx, found.creation, found.item, { status, error });
  };

async function store(
  ctx: TransactionContext,
  found: { readonly creation: CreationRow; readonly item: ItemRow },
  prepared: Exclude<BuildPlan, { skipped: string }>,
): Promise<void> {
  const { creation, item } = found;
  // If another plugin charges for the item, release the hold first, so that the credits are available.
  const { hold_id: holdId } = item;
  if (holdId !== null && chargesItself.has(item.kind)) await ctx.release(holdId);
  const { target, isBuilding = false, chargesItself: paysItself = false } = await prepared.store(ctx);
  if (isBuilding) {
    const set = { status: 'building', target_kind: target.kind, target_id: target.id, hold_id: null } as const;
    await itemRows.update(ctx.trx, item.id, { ...set, updated_at: ctx.now });
    return;
  }
  const free = paysItself ? { ...item, hold_id: null } : item;
  await endItem(ctx, creation, free, { status: 'built', target });
}

const chargesItself: ReadonlySet<ItemRow['kind']> = new Set(['link', 'page']);

export const buildItem = defineJob({
  kind: buildItemKind,
  payload: order,
  retryDelaysMs: [10_000, 60_000],
  timeoutMs: 300_000,

  async handler(ctx, given) {
    const setting = await settingOf(ctx, given);
    if (setting === undefined) return ctx.complete();
    let refusal: string;
    try {
      const prepared = await makers[setting.item.kind](ctx, setting);
      ctx.ports.phase('creation.item_written', given.itemId);
      if ('skipped' in prepared) return await ctx.complete(ends(given, 'skipped', prepared.skipped));
      return await ctx.complete(async (tx) => {
        const found = await lockPlanned(tx, given);
        if (found !== undefined) await store(tx, found, prepared);
      });
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      refusal = error.message;
    }
    await ctx.complete(ends(given, 'failed', refusal));
  },

  afterExhausted:
    'The item is failed, and the creation says so. Retry it with POST /v1/creations/{creationId}/items/{itemId}/retry.',

  async exhausted(ctx, given, reason) {
    ctx.enqueue({ kind: endItemKind, payload: { ...given, reason } });
  },
});

const endItemKind = 'creations.end_item';

/** Fails an item after its last attempt. This is a separate job because `exhausted` has no services. */
export const endItemJob = defineJob({
  kind: endItemKind,
  payload: order.extend({ reason: z.string() }),
  async handler(ctx, { reason, ...given }) {
    await ctx.complete(ends(given, 'failed', `It could not be built: ${reason}`));
  },
});
