// Prevents running imports from creating an erased person again. Called by erasures.
import type { PersonIdentifiers, WorkspaceHandle } from '../../../core/index.ts';
import { erasurePseudonyms } from './import-chunk.ts';
import { importRows } from './tables.ts';

/** Waits for the open transactions of running imports. Further import transactions wait until the caller's transaction ends. */
export async function lockImports(handle: WorkspaceHandle): Promise<void> {
  await importRows.findIn(handle, 'status', ['running'], 'update');
}

/** From now on, imports leave out the erased person's rows in files that were accepted before the erasure. */
export async function excludeFromImports(handle: WorkspaceHandle, subject: PersonIdentifiers): Promise<void> {
  const names = erasurePseudonyms(handle.workspaceId, subject);
  if (names.length === 0) return;
  for (const { id, erased } of await importRows.findIn(handle, 'status', ['running'], 'update')) {
    const pseudonyms = [...new Set([...erased, ...names])];
    if (pseudonyms.length > erased.length) await importRows.update(handle, id, { erased: pseudonyms });
  }
}
