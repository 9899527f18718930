// Finds brands, and keeps exactly one default brand.
import type { OperationContext, WorkspaceHandle } from '../../core/index.ts';
import { brandRows } from './tables.ts';

/** A brand by its id, or the default brand if the id is `default`. */
export const findBrand = (handle: WorkspaceHandle, id: string) =>
  id === 'default' ? brandRows.findBy(handle, { is_default: true }) : brandRows.find(handle, id);

/** Clears the current default. The caller must have locked the workspace. */
export async function clearDefault({ trx, now }: OperationContext): Promise<void> {
  const before = await brandRows.findBy(trx, { is_default: true });
  if (before !== undefined) await brandRows.update(trx, before.id, { is_default: false, updated_at: now });
}
