// Runs: their status, which is that of their post, and how they are shown.
import { type ReadContext, type RowConditions, type ServiceContext, toIsoTime } from '../../core/index.ts';
import type { SocialPost } from '../social/index.ts';
import type { RunStatus, SocialEventRun } from './schema.ts';
import type { RunRow } from './tables.ts';

/** How a post stands; one that is being deleted on the networks, as long as they show it. */
type PostStanding = Exclude<SocialPost['status'], 'deleting'>;

/** The status of a run by how its post stands. */
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

/** How posts stand, by id. Deleted posts are missing after some time. */
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

/** Runs with a status. */
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

/** One run. */
export async function showRun(ctx: ReadContext, row: RunRow, deduplicated = false): Promise<SocialEventRun> {
  return presentRun(row, await postStandings(ctx, [row]), deduplicated);
}
