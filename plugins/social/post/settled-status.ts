// The settled status of a post: its status, or, while the networks delete it, a status that depends on where people still see it.
// Used by lists of other plugins whose rows contain a post id.
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
  (column: string, settledStatus: SettledPostStatus): RowConditions =>
  (columns) => {
    const posts = columns.selectFrom('social_posts').select('social_posts.id');
    if (settledStatus === 'deleted') {
      const existingStatuses = postStates.states.filter((status) => status !== 'deleted');
      return [
        columns(column, 'is not', null),
        columns(column, 'not in', posts.where('status', 'in', existingStatuses)),
      ];
    }
    const hasThisStatus = columns(column, 'in', posts.where('status', '=', settledStatus));
    const withTargetIn = (statuses: readonly string[]) =>
      columns.selectFrom('social_targets').select('post_id').where('status', 'in', statuses);
    const isDeleting = columns(column, 'in', posts.where('status', '=', 'deleting'));
    const hasPublished = columns(column, 'in', withTargetIn(['published']));
    const hasUnpublished = columns(
      column,
      'in',
      withTargetIn(['pending', 'publishing', 'failed', 'unknown', 'deleted']),
    );
    const hasDeleted = columns(column, 'in', withTargetIn(['deleted']));
    if (settledStatus === 'published')
      return [columns.or([hasThisStatus, columns.and([isDeleting, hasPublished, columns.not(hasUnpublished)])])];
    if (settledStatus === 'partially_published') {
      const isPartial = columns.or([
        columns.and([hasPublished, hasUnpublished]),
        columns.and([columns.not(hasPublished), hasDeleted]),
      ]);
      return [columns.or([hasThisStatus, columns.and([isDeleting, isPartial])])];
    }
    if (settledStatus !== 'failed') return [hasThisStatus];
    return [columns.or([hasThisStatus, columns.and([isDeleting, columns.not(hasPublished), columns.not(hasDeleted)])])];
  };
