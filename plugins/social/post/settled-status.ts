// The settled status of a post: its status, or, while the networks delete it, a status that depends on where people still see it.
// For lists of other plugins whose rows contain a post id.
import type { RowConditions, WorkspaceHandle } from '../../../core/index.ts';
import { targetsOf } from '../present.ts';
import { settledStatusOf } from '../publication/end-target.ts';
import { postStates } from '../states.ts';
import type { SocialPostRow, SocialPostStatus } from '../tables.ts';

/** Every post status except `deleting`. */
export type SettledPostStatus = Exclude<SocialPostStatus, 'deleting'>;

/** The settled statuses of these posts, by id. */
export async function settledStatuses(
  handle: WorkspaceHandle,
  posts: readonly SocialPostRow[],
): Promise<ReadonlyMap<string, SettledPostStatus>> {
  const targets = await targetsOf(
    handle,
    posts.filter(({ status }) => status === 'deleting'),
  );
  return new Map(
    posts.map(({ id, status }) => [id, status === 'deleting' ? settledStatusOf(targets.get(id) ?? []) : status]),
  );
}

/** A condition: the column contains the id of a post with this settled status. Posts that no longer exist count as deleted. */
export const hasSettledStatus =
  (column: string, standing: SettledPostStatus): RowConditions =>
  (columns) => {
    const posts = columns.selectFrom('social_posts').select('social_posts.id');
    if (standing === 'deleted') {
      const others = postStates.states.filter((status) => status !== 'deleted');
      return [columns(column, 'is not', null), columns(column, 'not in', posts.where('status', 'in', others))];
    }
    const isSo = columns(column, 'in', posts.where('status', '=', standing));
    const on = (statuses: readonly string[]) =>
      columns.selectFrom('social_targets').select('post_id').where('status', 'in', statuses);
    const deleting = columns(column, 'in', posts.where('status', '=', 'deleting'));
    const live = columns(column, 'in', on(['published']));
    const elsewhere = columns(column, 'in', on(['pending', 'publishing', 'failed', 'unknown', 'deleted']));
    const isDeleted = columns(column, 'in', on(['deleted']));
    if (standing === 'published') return [columns.or([isSo, columns.and([deleting, live, columns.not(elsewhere)])])];
    if (standing === 'partially_published') {
      const some = columns.or([columns.and([live, elsewhere]), columns.and([columns.not(live), isDeleted])]);
      return [columns.or([isSo, columns.and([deleting, some])])];
    }
    if (standing !== 'failed') return [isSo];
    return [columns.or([isSo, columns.and([deleting, columns.not(live), columns.not(isDeleted)])])];
  };
