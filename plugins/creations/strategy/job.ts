// Drafts the strategy of a creation. It is written outside a transaction. In a transaction, it is stored, an event is emitted, and the
// strategy is approved if the workspace's defaults require no approval by people.
import { defineJob, isPostriderError, type JobContext, type TransactionContext, z } from '../../../core/index.ts';
import type { ApprovalsService } from '../../approvals/index.ts';
import { strategyKind } from '../building/kinds.ts';
import { priceOfKind } from '../building/prices.ts';
import { checkCredits, startBuilding } from '../building/start.ts';
import { showSummary, strategyKindId } from '../present.ts';
import { itemsOfCreation } from '../store.ts';
import { type CreationRow, creationRows, type ItemRow, itemRows } from '../tables.ts';
import { embeddedStrategy } from './embedded.ts';
import { type StrategyReply, strategyFaults, strategyForm } from './form.ts';
import { instructionsOf } from './instructions.ts';
import { campaignOptionsOf, knowledgeOf, startOf, strategyPrompt } from './knowledge.ts';

const day = 86_400_000;
const order = z.object({ creationId: z.string(), revision: z.int() });
type Order = z.output<typeof order>;

/** Locks and returns the creation; undefined if it no longer waits for this draft. */
async function lockDrafting(
  { trx }: TransactionContext,
  { creationId, revision }: Order,
): Promise<CreationRow | undefined> {
  const row = await creationRows.lock(trx, creationId);
  return row?.status === 'drafting_strategy' && row.revision === revision ? row : undefined;
}

/** Replaces the items of the creation with the items of the answer. */
async function storeItems(
  ctx: JobContext,
  { trx, now, newId, sandbox }: TransactionContext,
  creation: CreationRow,
  reply: StrategyReply,
) {
  for (const { id } of await itemsOfCreation(trx, creation.id)) await itemRows.remove(trx, id);
  const ids = reply.items.map(() => newId('itm'));
  for (const [position, { kind, channel, purpose, url, day: days, needs }] of reply.items.entries()) {
    const at = kind === 'link' ? null : startOf(creation) + days * day;
    const item: ItemRow = {
      ...{ id: ids[position] ?? '', sandbox, creation_id: creation.id, position, kind, channel, purpose, at },
      url: kind === 'link' ? url : null,
      ...{ status: 'planned', target_kind: null, target_id: null, hold_id: null, error: null },
      price: sandbox ? 0 : priceOfKind(ctx, kind),
      depends_on: needs.flatMap((need) => ids[need] ?? []),
      ...{ created_at: now, updated_at: now },
    };
    await itemRows.insert(trx, item);
  }
}

/** Approves on behalf of the caller who requested the campaign, unless a policy requires people to approve, or credits are missing. */
async function approveForCaller(ctx: JobContext, tx: TransactionContext, creation: CreationRow): Promise<void> {
  const { trx, now } = tx;
  if ((await ctx.services.marketing.defaults(trx)).approvalRequired) return;
  const waitForPeople = async (error: string) =>
    void (await creationRows.change(trx, creation, { error, updated_at: now }));
  const approvals: ApprovalsService | undefined = ctx.services.approvals;
  if ((await approvals?.holds(trx, strategyKindId, creation.spawned_by)) === true)
    return waitForPeople(
      'A policy requires people to approve this strategy. Approve it with POST /v1/creations/{creationId}/approve-strategy.',
    );
  const items = await itemsOfCreation(trx, creation.id);
  const refusal = await checkCredits(tx, items).catch((error: unknown) => error);
  if (isPostriderError(refusal, 'credits_exhausted')) return waitForPeople(refusal.message);
  if (refusal !== undefined) throw refusal;
  // If another call spends the credits meanwhile, this throws and the transaction is rolled back. The next attempt finds too few credits.
  await startBuilding(tx, creation, items, creation.may_link);
}

async function storeStrategy(
  ctx: JobContext,
  tx: TransactionContext,
  order: Order,
  reply: StrategyReply,
): Promise<void> {
  const creation = await lockDrafting(tx, order);
  if (creation === undefined) return;
  await storeItems(ctx, tx, creation, reply);
  const { summary, messages, channels } = reply;
  const row = await creationRows.change(tx.trx, creation, {
    ...{ status: 'awaiting_approval', strategy: { summary, messages, channels }, error: null, updated_at: tx.now },
  });
  tx.emit('creation.strategy_ready', await showSummary(tx, row));
  await approveForCaller(ctx, tx, row);
}

/** Fails the creation, if it still waits for this draft. */
async function fail(ctx: TransactionContext, order: Order, error: string): Promise<void> {
  const creation = await lockDrafting(ctx, order);
  if (creation === undefined) return;
  const row = await creationRows.change(ctx.trx, creation, { status: 'failed', error, updated_at: ctx.now });
  ctx.emit('creation.failed', await showSummary(ctx, row));
}

export const strategyJob = defineJob({
  kind: strategyKind,
  payload: order,
  retryDelaysMs: [10_000, 60_000],
  timeoutMs: 300_000,

  async handler(ctx, jobOrder) {
    const creation = await ctx.read(({ trx }) => creationRows.find(trx, jobOrder.creationId));
    if (creation?.status !== 'drafting_strategy' || creation.revision !== jobOrder.revision) return ctx.complete();
    const options = await campaignOptionsOf(ctx, creation);
    let reply: StrategyReply;
    try {
      reply = await ctx.services.writer.write(ctx, {
        kind: 'creation_strategy',
        what: 'the strategy',
        form: strategyForm,
        instructions: instructionsOf(await knowledgeOf(ctx, creation), options),
        brief: strategyPrompt(creation),
        faultsOf: (answer) => strategyFaults(answer, options),
        embedded: () => embeddedStrategy(creation.brief, options),
      });
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      return ctx.complete((tx) => fail(tx, jobOrder, error.message));
    }
    ctx.ports.phase('creation.strategy_written', jobOrder.creationId);
    await ctx.complete((tx) => storeStrategy(ctx, tx, jobOrder, reply));
  },

  afterExhausted: 'The creation is failed. Reject its strategy with revise: true to have it drafted again.',

  async exhausted(ctx, jobOrder, reason) {
    ctx.enqueue({ kind: failStrategyKind, payload: { ...jobOrder, reason } });
  },
});

const failStrategyKind = 'creations.fail_strategy';

/** Fails a creation after the last attempt of its draft. This is a separate job because `exhausted` has no services. */
export const failStrategyJob = defineJob({
  kind: failStrategyKind,
  payload: order.extend({ reason: z.string() }),
  async handler(ctx, { reason, ...jobOrder }) {
    await ctx.complete((tx) => fail(tx, jobOrder, `The strategy could not be drafted: ${reason}`));
  },
});
