// The states of a post, and the allowed next states of each.
import { defineStates, stateRows, type TransactionContext } from '../../core/index.ts';
import { errors } from './errors.ts';
import { postRows, type SocialPostRow, type SocialPostStatus } from './tables.ts';

export const postStates = defineStates({
  draft: ['ready', 'pending_approval', 'scheduled', 'publishing', 'deleting', 'deleted'],
  ready: ['draft', 'pending_approval', 'scheduled', 'publishing', 'deleting', 'deleted'],
  pending_approval: ['ready', 'partially_published', 'scheduled', 'publishing', 'deleted'],
  // scheduled to scheduled: the post moves to another time.
  scheduled: ['ready', 'pending_approval', 'scheduled', 'publishing', 'failed', 'deleting', 'deleted'],
  publishing: ['published', 'partially_published', 'failed'],
  published: ['deleting'],
  partially_published: ['pending_approval', 'publishing', 'deleting'],
  failed: ['ready', 'pending_approval', 'scheduled', 'publishing', 'deleting', 'deleted'],
  deleting: ['published', 'partially_published', 'failed', 'deleted'],
  deleted: [],
});

/** A state transition of a post, with columns to write in the same statement. */
export interface PostMove {
  readonly to: SocialPostStatus;
  /** (Default: every state from which `to` can be reached) */
  readonly from?: SocialPostStatus | readonly SocialPostStatus[];
  readonly set?: Partial<Omit<SocialPostRow, 'id' | 'status'>>;
}

/** Moves a post to another state, and returns the changed row. @throws state_conflict, post_not_found */
export async function movePost(
  { trx, now }: TransactionContext,
  row: SocialPostRow,
  { to, from, set }: PostMove,
): Promise<SocialPostRow> {
  const changes = { ...set, updated_at: now };
  await postStates.move(stateRows(postRows, trx, 'status'), {
    id: row.id,
    to,
    ...(from === undefined ? {} : { from }),
    set: changes,
    notFoundError: () => errors.post_not_found({ id: row.id }),
  });
  return { ...row, ...changes, status: to };
}
