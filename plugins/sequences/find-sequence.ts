// Finds a sequence by its key or its id.
import type { WorkspaceHandle } from '../../core/index.ts';
import { errors } from './errors.ts';
import { type SequenceHead, type SequenceRow, sequenceHeads, sequenceRows } from './tables.ts';

/** Keys are lower-case, so a key never looks like an id. */
const isId = (text: string): boolean => /^seq_[0-9A-HJKMNP-TV-Z]{26}$/.test(text);
const whereOf = (keyOrId: string) => (isId(keyOrId) ? { id: keyOrId } : { key: keyOrId });

/** @throws sequence_not_found */
export async function findSequence(handle: WorkspaceHandle, keyOrId: string): Promise<SequenceRow> {
  const row = await sequenceRows.findBy(handle, whereOf(keyOrId));
  if (row === undefined) throw errors.sequence_not_found({ id: keyOrId });
  return row;
}

/** Finds a sequence without its definition. @throws sequence_not_found */
export async function findHead(handle: WorkspaceHandle, keyOrId: string): Promise<SequenceHead> {
  const row = await sequenceHeads.findBy(handle, whereOf(keyOrId));
  if (row === undefined) throw errors.sequence_not_found({ id: keyOrId });
  return row;
}

/** Finds a sequence and locks its row until the transaction ends. @throws sequence_not_found */
export async function lockSequence(handle: WorkspaceHandle, keyOrId: string): Promise<SequenceRow> {
  const row = await sequenceRows.findBy(handle, whereOf(keyOrId), 'update');
  if (row === undefined) throw errors.sequence_not_found({ id: keyOrId });
  return row;
}
