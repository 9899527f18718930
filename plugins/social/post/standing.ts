// A condition of lists of other plugins: rows whose post is in some states.
import type { RowConditions } from '../../../core/index.ts';
import { postStates } from '../states.ts';
import type { PostStatus } from '../tables.ts';

/** The column names a post in one of these states. Posts that are gone count as deleted. */
export const inStatus =
  (column: string, statuses: readonly PostStatus[]): RowConditions =>
  (columns) => {
    const posts = columns.selectFrom('social_posts').select('id');
    if (!statuses.includes('deleted')) return [columns(column, 'in', posts.where('status', 'in', statuses))];
    const others = postStates.states.filter((status) => !statuses.includes(status));
    return [columns(column, 'is not', null), columns(column, 'not in', posts.where('status', 'in', others))];
  };
