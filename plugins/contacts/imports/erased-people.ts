// Keeps running imports from bringing an erased person back. Called by erasures.
import type { PersonIdentifiers, WorkspaceHandle } from '../../../core/index.ts';
import { erasurePseudonyms } from './import-chunk.ts';
import { importRows } from './tables.ts';

/** Waits for the transactions of running imports, and keeps further ones from beginning until the caller's transaction ends. */
export async function lockImports(handle: WorkspaceHandle): Promise<void> {
  await importRows.findIn(handle, 'status', ['running'], 'update');
}

/** Rows of files that were accepted before the erasure are left out from now on. */
export async function forgetInImports(handle: WorkspaceHandle, subject: PersonIdentifiers): Promise<void> {
  const names = erasurePseudonyms(handle.workspaceId, subject);
  if (names.length === 0) return;
  for (const { id, erased } of await importRows.findIn(handle, 'status', ['running'], 'update')) {
    const all = [...new Set([...erased, ...names])];
    if (all.length > erased.length) await importRows.update(handle, id, { erased: all });
  }
}
