// Finds and locks creations and their items.
import { coreErrors, type WorkspaceHandle } from '../../core/index.ts';
import { errors } from './errors.ts';
import { itemsOf } from './present.ts';
import { type CreationRow, type CreationStatus, creationRows, type ItemRow } from './tables.ts';

/** Locks the row of a creation, which also protects its items, until the transaction ends. @throws creation_not_found */
export async function lockCreation(handle: WorkspaceHandle, id: string): Promise<CreationRow> {
  const row = await creationRows.lock(handle, id);
  if (row === undefined) throw errors.creation_not_found({ id });
  return row;
}

/** The items of a creation, in order. */
export async function itemsOfCreation(handle: WorkspaceHandle, id: string): Promise<readonly ItemRow[]> {
  return (await itemsOf(handle, [id])).get(id) ?? [];
}

/** The error for a call that the status does not allow. */
export const stateConflict = ({ id, status }: CreationRow, allowed: readonly CreationStatus[], participle: string) =>
  coreErrors.state_conflict({
    reason: `The creation ${id} is ${status}, and cannot be ${participle}: only a creation that is ${allowed.join(' or ')} can.`,
  });
