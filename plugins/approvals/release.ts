// Gives a target back to its authors: after a request that was turned down, withdrawn, expired or could not be carried out.
import { onSide, type TransactionContext } from '../../core/index.ts';
import type { RequestRow } from './tables.ts';

/** Lets the surface return the target to its state before, where it has one for targets that wait. */
export async function releaseTarget(ctx: TransactionContext, row: RequestRow): Promise<void> {
  // A policy and a key that got into wrong hands end requests of both sides.
  await ctx.ports.heldCalls.surfaces.get(row.surface_kind)?.released?.(onSide(ctx, row.sandbox), row.target_id);
}
