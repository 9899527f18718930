// Looks posts up. A deleted post can be read for 30 days.
import type { ReadContext } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { postRows, type SocialPostRow } from '../tables.ts';

/** The time for which a deleted post can be read, in milliseconds. */
export const deletedForMs = 30 * 86_400_000;

type PostReadContext = ReadContext;

/** The post, to read. @throws post_not_found */
export async function findPost({ trx, now }: PostReadContext, id: string): Promise<SocialPostRow> {
  return existingPost(await postRows.find(trx, id), id, now);
}

/** The post, to change. @throws post_not_found */
export async function lockPost({ trx, now }: PostReadContext, id: string): Promise<SocialPostRow> {
  return existingPost(await postRows.lock(trx, id), id, now);
}

function existingPost(row: SocialPostRow | undefined, id: string, now: number): SocialPostRow {
  const isGone = row === undefined || (row.deleted_at !== null && row.deleted_at <= now - deletedForMs);
  if (isGone) throw errors.post_not_found({ id });
  return row;
}
