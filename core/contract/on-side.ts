// Narrows the context of reads to one side of its workspace. For routes and commands, whose reads begin on another one.
import type { ReadContext } from './context.ts';

/** The same reads on the live or the sandbox side. */
export const onSide = (ctx: ReadContext, sandbox: boolean): ReadContext => ({
  ...ctx,
  trx: ctx.trx.onSide(sandbox),
  sandbox,
});
