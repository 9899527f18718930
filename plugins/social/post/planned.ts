// Where posts stand in the plan: at the time they went out, else the one they go out at, else the one they are planned for.
import type { TimeSpan, WorkspaceHandle } from '../../../core/index.ts';
import { type PostRow, postRows } from '../tables.ts';

/** A post and its place in the plan. */
export interface PlacedPost {
  readonly post: PostRow;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The times of a post, the one that counts first. */
const times = ['published_at', 'scheduled_at', 'planned_at'] as const;

/** The posts of a span of time, in the order of their places. Deleted ones have none. */
export async function postsBetween(handle: WorkspaceHandle, span: TimeSpan): Promise<readonly PlacedPost[]> {
  const found: PlacedPost[] = [];
  for (const [index, time] of times.entries()) {
    const rows = await postRows.between(handle, {
      ...span,
      time,
      conditions: (columns) => [
        columns('status', '!=', 'deleted'),
        ...times.slice(0, index).map((earlier) => columns(earlier, 'is', null)),
      ],
    });
    for (const post of rows) found.push({ post, at: post[time] ?? 0 });
  }
  return found.sort((one, other) => one.at - other.at || (one.post.id < other.post.id ? -1 : 1)).slice(0, span.limit);
}
