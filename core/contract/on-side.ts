// Narrows a context to one side of its workspace, live or sandbox. For work that begins on one side and needs rows of the other side.
import type { ReadContext, TransactionContext } from './context.ts';

/** The same transaction on one side. If a live transaction makes events and jobs on the sandbox side, they belong to that side. */
export function onSide(ctx: TransactionContext, sandbox: boolean): TransactionContext;
/** The same reads on one side. */
export function onSide(ctx: ReadContext, sandbox: boolean): ReadContext;
export function onSide(ctx: ReadContext | TransactionContext, sandbox: boolean): ReadContext | TransactionContext {
  const sided = { ...ctx, trx: ctx.trx.onSide(sandbox), sandbox };
  if (!('emit' in ctx) || ctx.sandbox || !sandbox) return sided;
  const transaction: TransactionContext = {
    ...ctx,
    trx: sided.trx,
    sandbox,
    emit: (type, data, options = {}) => ctx.emit(type, data, { ...options, synthetic: true }),
    emitWanted: (type, data, options = {}) => ctx.emitWanted(type, data, { ...options, synthetic: true }),
    emitEach: (type, items) =>
      ctx.emitEach(
        type,
        items.map((item) => ({ ...item, synthetic: true })),
      ),
    enqueue: (job) => ctx.enqueue({ ...job, sandbox: true }),
  };
  return transaction;
}
