// Shows runs. The status of a run follows its post.
import { type ReadContext, type RowConditions, type ServiceContext, toIsoTime } from '../../core/index.ts';
import type { SocialPost } from '../social/index.ts';
import type { SocialEventRun, SocialEventRunStatus } from './schema.ts';
import type { SocialEventRunRow } from './tables.ts';

/** The settled status of a post: every post status except `deleting` (see `SocialService.settledStatuses`). */
type LinkedPostStatus = Exclude<SocialPost['status'], 'deleting'>;

/** The status of a run, by the settled status of its post. */
const statuses: Readonly<Record<LinkedPostStatus, Exclude<SocialEventRunStatus, 'previewed'>>> = {
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
export type LinkedPostStatuses = ReadonlyMap<string, LinkedPostStatus>;

export async function linkedPostStatuses(
  { services, trx }: ReadContext,
  runs: readonly SocialEventRunRow[],
): Promise<LinkedPostStatuses> {
  const ids = runs.flatMap(({ post_id: postId }) => (postId === null ? [] : [postId]));
  return services.social.settledStatuses(trx, ids);
}

function statusOf({ post_id: postId }: SocialEventRunRow, posts: LinkedPostStatuses): SocialEventRunStatus {
  if (postId === null) return 'previewed';
  const standing = posts.get(postId);
  return standing === undefined ? 'deleted' : statuses[standing];
}

/** A list condition: runs with this status. */
export function withStatus({ services }: ServiceContext, wanted: SocialEventRunStatus): RowConditions {
  if (wanted === 'previewed') return (columns) => [columns('post_id', 'is', null)];
  const found = (Object.keys(statuses) as LinkedPostStatus[]).filter((standing) => statuses[standing] === wanted);
  return (columns) => [
    columns.or(
      found.map((standing) => columns.and([...services.social.hasSettledStatus('post_id', standing)(columns)])),
    ),
  ];
}

export const presentRun = (
  row: SocialEventRunRow,
  posts: LinkedPostStatuses,
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
