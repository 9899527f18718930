// Lists posts by their time in the plan. It is the first of these times that the post has: publication, schedule, planned time.
import type { TimeSpan, WorkspaceHandle } from '../../../core/index.ts';
import { postRows, type SocialPostRow } from '../tables.ts';

/** A post and its time in the plan. */
export interface PlannedPost {
  readonly post: SocialPostRow;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The times of a post, in order of precedence. */
const times = ['published_at', 'scheduled_at', 'planned_at'] as const;

/** The posts of a time span, earliest first. Deleted posts are left out. */
export async function postsBetween(handle: WorkspaceHandle, span: TimeSpan): Promise<readonly PlannedPost[]> {
  const plannedPosts: PlannedPost[] = [];
  for (const [index, time] of times.entries()) {
    const rows = await postRows.between(handle, {
      ...span,
      time,
      conditions: (columns) => [
        columns('status', '!=', 'deleted'),
        ...times.slice(0, index).map((earlier) => columns(earlier, 'is', null)),
      ],
    });
    for (const post of rows) plannedPosts.push({ post, at: post[time] ?? 0 });
  }
  return plannedPosts.sort((a, b) => a.at - b.at || (a.post.id < b.post.id ? -1 : 1)).slice(0, span.limit);
}
