// Returns a target to its authors after its request was turned down, was withdrawn, expired or could not be carried out.
import { onSide, type TransactionContext } from '../../core/index.ts';
import type { RequestRow } from './tables.ts';

/** Lets the surface restore the target's previous state, if the surface has a state for targets with a pending request. */
export async function releaseTarget(ctx: TransactionContext, row: RequestRow): Promise<void> {
  // The request may be on the other side: a new policy and a compromised key end requests of both sides.
  await ctx.ports.heldCalls.surfaces.get(row.surface_kind)?.released?.(onSide(ctx, row.sandbox), row.target_id);
}
