// Returns a context for one side of its workspace, live or sandbox. For work that begins on one side and needs rows of the
// other side.
import type { ReadContext, TransactionContext } from './context.ts';

/** The live transactions from which contexts on the sandbox side were made. */
const liveContexts = new WeakMap<ReadContext, TransactionContext>();

/**
 * The same transaction on one side. In a live transaction, events, jobs and canceled jobs belong to the side of the
 * context; in a sandbox transaction, always to the sandbox. Credits, budgets, audit entries and nested calls keep the
 * side of the transaction.
 */
export function onSide(ctx: TransactionContext, sandbox: boolean): TransactionContext;
/** The same reads on one side. */
export function onSide(ctx: ReadContext, sandbox: boolean): ReadContext;
export function onSide(ctx: ReadContext | TransactionContext, sandbox: boolean): ReadContext | TransactionContext {
  if (!sandbox) return liveContexts.get(ctx) ?? { ...ctx, trx: ctx.trx.onSide(false), sandbox };
  const onOneSide = { ...ctx, trx: ctx.trx.onSide(true), sandbox };
  if (!('emit' in ctx) || ctx.sandbox) return onOneSide;
  const transaction: TransactionContext = {
    ...ctx,
    trx: onOneSide.trx,
    sandbox,
    emit: (type, data, options = {}) => ctx.emit(type, data, { ...options, synthetic: true }),
    emitIfSubscribed: (type, data, options = {}) => ctx.emitIfSubscribed(type, data, { ...options, synthetic: true }),
    emitEach: (type, items) =>
      ctx.emitEach(
        type,
        items.map((item) => ({ ...item, synthetic: true })),
      ),
    enqueue: (job) => ctx.enqueue({ ...job, sandbox: true }),
    cancelJob: (key) => ctx.cancelJob({ ...(typeof key === 'string' ? { key } : key), sandbox: true }),
  };
  liveContexts.set(transaction, ctx);
  return transaction;
}
