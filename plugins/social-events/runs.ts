// Shows runs. The status of a run follows its post.
import { type ReadContext, type RowConditions, type ServiceContext, toIsoTime } from '../../core/index.ts';
import type { SocialPost } from '../social/index.ts';
import type { SocialEventRun, SocialEventRunStatus } from './schema.ts';
import type { SocialEventRunRow } from './tables.ts';

/** The settled status of a post: every post status except `deleting` (see `SocialService.settledStatuses`). */
type SettledPostStatus = Exclude<SocialPost['status'], 'deleting'>;

/** The status of a run, by the settled status of its post. */
const statuses: Readonly<Record<SettledPostStatus, Exclude<SocialEventRunStatus, 'previewed'>>> = {
  draft: 'drafted',
  ready: 'drafted',
  scheduled: 'scheduled',
  publishing: 'publishing',
  pending_approval: 'pending_approval',
  published: 'published',
  partially_published: 'partially_published',
  failed: 'failed',
  deleted: 'deleted',
};

/** The settled statuses of posts, by post id. Posts that were deleted long ago are left out. */
export type SettledPostStatuses = ReadonlyMap<string, SettledPostStatus>;

export async function linkedPostStatuses(
  { services, trx }: ReadContext,
  runs: readonly SocialEventRunRow[],
): Promise<SettledPostStatuses> {
  const ids = runs.flatMap(({ post_id: postId }) => (postId === null ? [] : [postId]));
  return services.social.settledStatuses(trx, ids);
}

function statusOf({ post_id: postId }: SocialEventRunRow, posts: SettledPostStatuses): SocialEventRunStatus {
  if (postId === null) return 'previewed';
  const postStatus = posts.get(postId);
  return postStatus === undefined ? 'deleted' : statuses[postStatus];
}

/** A list condition: runs with this status. */
export function withStatus({ services }: ServiceContext, runStatus: SocialEventRunStatus): RowConditions {
  if (runStatus === 'previewed') return (columns) => [columns('post_id', 'is', null)];
  const postStatuses = (Object.keys(statuses) as SettledPostStatus[]).filter(
    (postStatus) => statuses[postStatus] === runStatus,
  );
  return (columns) => [
    columns.or(
      postStatuses.map((postStatus) =>
        columns.and([...services.social.hasSettledStatus('post_id', postStatus)(columns)]),
      ),
    ),
  ];
}

export const presentRun = (
  row: SocialEventRunRow,
  posts: SettledPostStatuses,
  deduplicated = false,
): SocialEventRun => ({
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

/** A run as the API shows it. */
export async function showRun(ctx: ReadContext, row: SocialEventRunRow, deduplicated = false): Promise<SocialEventRun> {
  return presentRun(row, await linkedPostStatuses(ctx, [row]), deduplicated);
}
