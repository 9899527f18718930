// Gives a target back to its authors: after a request that was turned down, withdrawn, expired or could not be carried out.
import type { Effects, ServiceSurface } from '../../core/index.ts';
import type { RequestRow } from './tables.ts';

/** Lets the surface return the target to its state before, where it has one for targets that wait. */
export async function releaseTarget(
  { ports }: Pick<ServiceSurface, 'ports'>,
  effects: Effects,
  row: RequestRow,
): Promise<void> {
  // A policy and a key that got into wrong hands end requests of both sides.
  const ofRequest = { ...effects, trx: effects.trx.onSide(row.sandbox), sandbox: row.sandbox };
  await ports.heldCalls.surfaces.get(row.surface_kind)?.released?.(ofRequest, row.target_id);
}
