// Returns a target to its authors after its request was turned down, was withdrawn, expired or could not be carried out.
import { onSide, type TransactionContext } from '../../core/index.ts';
import type { RequestRow } from './tables.ts';

/** Lets the content kind restore the target's previous state, if it has a state for targets with a pending request. */
export async function releaseTarget(ctx: TransactionContext, row: RequestRow): Promise<void> {
  // The request may be on the other side: a new policy and a compromised key end requests of both sides.
  await ctx.ports.heldCalls.contentKinds.get(row.surface_kind)?.restore?.(onSide(ctx, row.sandbox), row.target_id);
}
