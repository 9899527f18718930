// Shows runs. The status of a run follows its post.
import { type ReadContext, type RowConditions, type ServiceContext, toIsoTime } from '../../core/index.ts';
import type { SocialPost } from '../social/index.ts';
import type { RunStatus, SocialEventRun } from './schema.ts';
import type { RunRow } from './tables.ts';

/** The standing of a post: every post status except `deleting` (see `SocialService.standings`). */
type PostStanding = Exclude<SocialPost['status'], 'deleting'>;

/** The status of a run, by the standing of its post. */
const statuses: Readonly<Record<PostStanding, Exclude<RunStatus, 'previewed'>>> = {
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

/** The standings of posts, by post id. Posts that were deleted long ago are left out. */
export type PostStandings = ReadonlyMap<string, PostStanding>;

export async function postStandings({ services, trx }: ReadContext, runs: readonly RunRow[]): Promise<PostStandings> {
  const ids = runs.flatMap(({ post_id: postId }) => (postId === null ? [] : [postId]));
  return services.social.standings(trx, ids);
}

function statusOf({ post_id: postId }: RunRow, posts: PostStandings): RunStatus {
  if (postId === null) return 'previewed';
  const standing = posts.get(postId);
  return standing === undefined ? 'deleted' : statuses[standing];
}

/** A list condition: runs with this status. */
export function withStatus({ services }: ServiceContext, wanted: RunStatus): RowConditions {
  if (wanted === 'previewed') return (columns) => [columns('post_id', 'is', null)];
  const found = (Object.keys(statuses) as PostStanding[]).filter((standing) => statuses[standing] === wanted);
  return (columns) => [
    columns.or(found.map((standing) => columns.and([...services.social.inStanding('post_id', standing)(columns)]))),
  ];
}

export const presentRun = (row: RunRow, posts: PostStandings, deduplicated = false): SocialEventRun => ({
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
export async function showRun(ctx: ReadContext, row: RunRow, deduplicated = false): Promise<SocialEventRun> {
  return presentRun(row, await postStandings(ctx, [row]), deduplicated);
}
