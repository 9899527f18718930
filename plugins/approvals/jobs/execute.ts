import { defineJob, isPostriderError, type TransactionContext, z } from '../../../core/index.ts';
import { releaseTarget } from '../release.ts';
import { failExecution } from '../requests.ts';
import { requestRows } from '../tables.ts';
import { executeKind, giveUpKind } from './kinds.ts';

/** The statuses of temporary errors, after which the call is retried. Any other status is a failed check. */
const temporaryStatuses = new Set([408, 429, 500, 503, 504]);

/**
 * Carries out an approved call once. The call marks its request as done in its own transaction, so a second run has nothing to
 * do.
 */
export const execute = defineJob({
  kind: executeKind,
  payload: z.object({ requestId: z.string() }),
  retryDelaysMs: [1_000, 10_000, 60_000, 600_000],
  timeoutMs: 110_000,

  async handler(ctx, { requestId }) {
    const row = await ctx.read(({ trx }) => requestRows.find(trx, requestId));
    if (row === undefined || row.operation === null || row.execution !== 'waiting') return ctx.complete();
    try {
      await ctx.ports.heldCalls.run({
        workspaceId: ctx.workspace.id,
        sandbox: ctx.sandbox,
        approvedRequest: requestId,
        operation: row.operation,
        input: row.input,
        requester: row.requester,
        signal: ctx.signal,
      });
    } catch (error) {
      if (!isPostriderError(error) || temporaryStatuses.has(error.status)) throw error;
      return ctx.complete((tx) => fail(tx, requestId, error.code));
    }
    await ctx.complete();
  },

  async exhausted(ctx, { requestId }) {
    ctx.enqueue({ kind: giveUpKind, payload: { requestId } });
  },
});

/** Ends an approved call that never got a result, with the error internal_error. */
export const giveUp = defineJob({
  kind: giveUpKind,
  payload: z.object({ requestId: z.string() }),

  handler: (ctx, { requestId }) => ctx.complete((tx) => fail(tx, requestId, 'internal_error')),
});

async function fail(ctx: TransactionContext, requestId: string, code: string): Promise<void> {
  const row = await failExecution(ctx, requestId, code);
  if (row !== undefined) await releaseTarget(ctx, row);
}
