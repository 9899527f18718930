// Runs: their status, which is that of their post, and how they are shown.
import type { RowConditions, ServiceSurface, WorkspaceHandle } from '../../core/index.ts';
import { toIsoTime } from '../../core/index.ts';
import type { SocialPost } from '../social/index.ts';
import type { RunStatus, SocialEventRun } from './schema.ts';
import type { RunRow } from './tables.ts';

type PostStatus = SocialPost['status'];

/** The status of a run by that of its post. A post that is being deleted on the networks is live as long. */
const statuses: Readonly<Record<PostStatus, Exclude<RunStatus, 'previewed'>>> = {
  draft: 'drafted',
  ready: 'drafted',
  scheduled: 'scheduled',
  publishing: 'publishing',
  pending_approval: 'pending_approval',
  published: 'published',
  partially_published: 'partially_published',
  failed: 'failed',
  deleting: 'published',
  deleted: 'deleted',
};

/** The statuses of posts, by id. Deleted posts are missing after some time. */
export type PostStatuses = ReadonlyMap<string, PostStatus>;

export async function postStatuses(
  { services }: Pick<ServiceSurface, 'services'>,
  handle: WorkspaceHandle,
  runs: readonly RunRow[],
): Promise<PostStatuses> {
  const ids = runs.flatMap(({ post_id: postId }) => (postId === null ? [] : [postId]));
  return new Map((await services.social.findAll(handle, ids)).map(({ id, status }) => [id, status]));
}

function statusOf({ post_id: postId }: RunRow, posts: PostStatuses): RunStatus {
  if (postId === null) return 'previewed';
  const status = posts.get(postId);
  return status === undefined ? 'deleted' : statuses[status];
}

/** Runs with a status. */
export function withStatus({ services }: Pick<ServiceSurface, 'services'>, wanted: RunStatus): RowConditions {
  if (wanted === 'previewed') return (columns) => [columns('post_id', 'is', null)];
  const found = (Object.keys(statuses) as PostStatus[]).filter((status) => statuses[status] === wanted);
  return services.social.inStatus('post_id', found);
}

export const presentRun = (row: RunRow, posts: PostStatuses, deduplicated = false): SocialEventRun => ({
  runId: row.id,
  eventKey: row.event_key,
  outcome: row.outcome,
  status: statusOf(row, posts),
  postId: row.post_id,
  captions: row.captions.map((caption) => ({ ...caption })),
  dedupeKey: row.dedupe_key,
  deduplicated,
  sandbox: row.sandbox,
  createdAt: toIsoTime(row.created_at),
});

/** One run. */
export async function showRun(
  surface: Pick<ServiceSurface, 'services'>,
  handle: WorkspaceHandle,
  row: RunRow,
  deduplicated = false,
): Promise<SocialEventRun> {
  return presentRun(row, await postStatuses(surface, handle, [row]), deduplicated);
}
