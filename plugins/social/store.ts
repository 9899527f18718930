// The statements of the social plugin, in addition to the statements of its tables.
import { defineStatement, filledList, type WorkspaceHandle } from '../../core/index.ts';
import { targetRows } from './tables.ts';

/** The maximum number of posts that one transaction removes. */
const batch = 200;

const deletedPosts = defineStatement((db, p: { before: number }) =>
  db
    .selectFrom('social_posts')
    .select('id')
    .where('deleted_at', '<', p.before)
    .orderBy('deleted_at')
    .limit(({ lit }) => lit(batch)),
);

/** Removes one batch of the posts that were deleted before this time, with their targets, steps and metrics. */
export async function removeDeleted(handle: WorkspaceHandle, before: number): Promise<void> {
  const posts = (await handle.all(deletedPosts, { before })).map(({ id }) => id);
  if (posts.length === 0) return;
  const targets = (await targetRows.findIn(handle, 'post_id', posts)).map(({ id }) => id);
  const { db } = handle;
  if (targets.length > 0) {
    await db.deleteFrom('social_steps').where('target_id', 'in', filledList(targets)).execute();
    await db.deleteFrom('social_figures').where('target_id', 'in', filledList(targets)).execute();
    await db.deleteFrom('social_targets').where('post_id', 'in', filledList(posts)).execute();
  }
  await db.deleteFrom('social_posts').where('id', 'in', filledList(posts)).execute();
}
