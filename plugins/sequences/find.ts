// Finds the sequence that a path names, by its key or its id.
import type { WorkspaceHandle } from '../../core/index.ts';
import { errors } from './errors.ts';
import { type SequenceHead, type SequenceRow, sequenceHeads, sequenceRows } from './tables.ts';

/** Keys are lower-case, so none looks like an id. */
const isId = (text: string): boolean => /^seq_[0-9A-HJKMNP-TV-Z]{26}$/.test(text);
const whereOf = (keyOrId: string) => (isId(keyOrId) ? { id: keyOrId } : { key: keyOrId });

/** @throws sequence_not_found */
export async function findSequence(handle: WorkspaceHandle, keyOrId: string): Promise<SequenceRow> {
  const row = await sequenceRows.findBy(handle, whereOf(keyOrId));
  if (row === undefined) throw errors.sequence_not_found({ id: keyOrId });
  return row;
}

/** Without the definition. @throws sequence_not_found */
export async function findHead(handle: WorkspaceHandle, keyOrId: string): Promise<SequenceHead> {
  const row = await sequenceHeads.findBy(handle, whereOf(keyOrId));
  if (row === undefined) throw errors.sequence_not_found({ id: keyOrId });
  return row;
}

/** No other transaction changes it until this one ends. @throws sequence_not_found */
export async function lockSequence(handle: WorkspaceHandle, keyOrId: string): Promise<SequenceRow> {
  const row = await sequenceRows.findBy(handle, whereOf(keyOrId), 'update');
  if (row === undefined) throw errors.sequence_not_found({ id: keyOrId });
  return row;
}
