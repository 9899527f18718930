// Posts and accounts as the API shows them.
import {
  type PendingDecision,
  presenter,
  type ReadContext,
  type ServiceContext,
  toIsoTime,
  toIsoTimeOrNull,
  type WorkspaceHandle,
} from '../../core/index.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import { postTarget, type SocialNetworkView, type SocialPost } from './resources.ts';
import type { SocialPostContent } from './schema.ts';
import { type AccountRow, type SocialPostRow, socialTargets, type TargetRow, targetRows } from './tables.ts';

/** The id of the content kind of posts. */
export const socialPostKindId = 'social_post';

/** The data that a response shows in addition to the post's row. */
interface PostViewData {
  readonly targets: readonly TargetRow[];
  readonly pending: PendingDecision | undefined;
}

const noCapabilities = { media: false, threads: false, deletes: false, analytics: false };

const presentTarget = presenter(socialTargets, postTarget);

/** The approval request of a post: for a held call, or for its content alone. */
function approvalOf(
  { approval_id: heldRequestId }: SocialPostRow,
  pending: PendingDecision | undefined,
): SocialPost['approval'] {
  if (heldRequestId === null) return pending ?? null;
  return { requestId: heldRequestId, status: pending?.requestId === heldRequestId ? 'pending' : 'approved' };
}

/** The fields of a post's content. */
export const presentContent = (content: SocialPostContent) => ({
  channels: [...content.channels],
  caption: content.caption,
  channelCaptions: { ...content.channelCaptions },
  threadTweets: [...content.threadTweets],
  hashtags: [...content.hashtags],
  media: content.media.map((item) => ({ ...item })),
  linkUrl: content.linkUrl,
  channelSettings: Object.fromEntries(
    Object.entries(content.channelSettings).map(([channelId, settings]) => [channelId, { ...settings }]),
  ),
  targetAccountRefs: { ...content.targetAccountRefs },
});

const presentPost = (row: SocialPostRow, { targets, pending }: PostViewData): SocialPost => ({
  id: row.id,
  status: row.status,
  mode: row.mode,
  planningKind: row.planning_kind,
  groupId: row.group_id,
  ...presentContent(row.content),
  plannedAt: toIsoTimeOrNull(row.planned_at),
  scheduledAt: toIsoTimeOrNull(row.scheduled_at),
  publishedAt: toIsoTimeOrNull(row.published_at),
  assigneeUid: row.assignee_uid,
  brief: row.brief,
  problems: row.problems.map((problem) => ({ ...problem })),
  targets: targets.map(presentTarget),
  approval: approvalOf(row, pending),
  credits: { price: row.price, charged: row.charged },
  creationId: row.creation_id,
  sandbox: row.sandbox,
  createdAt: toIsoTime(row.created_at),
  updatedAt: toIsoTime(row.updated_at),
});

/** The targets of these posts, in the order of their channels. */
export async function targetsOf(
  handle: WorkspaceHandle,
  posts: readonly Pick<SocialPostRow, 'id'>[],
): Promise<ReadonlyMap<string, TargetRow[]>> {
  const targetsByPost = new Map<string, TargetRow[]>(posts.map(({ id }) => [id, []]));
  for (const row of await targetRows.findIn(handle, 'post_id', [...targetsByPost.keys()]))
    targetsByPost.get(row.post_id)?.push(row);
  for (const rows of targetsByPost.values()) rows.sort((a, b) => a.position - b.position);
  return targetsByPost;
}

/** Posts as the API shows them. */
export async function showPosts({ services, trx }: ReadContext, rows: readonly SocialPostRow[]): Promise<SocialPost[]> {
  const approvals: ApprovalsService | undefined = services.approvals;
  const ids = rows.map(({ id }) => id);
  const targets = await targetsOf(trx, rows);
  const pending = await approvals?.pendingOf(trx, socialPostKindId, ids);
  return rows.map((row) => presentPost(row, { targets: targets.get(row.id) ?? [], pending: pending?.get(row.id) }));
}

/** A post as the API and its events show it. */
export async function showPost(ctx: ReadContext, row: SocialPostRow): Promise<SocialPost> {
  const [shown] = await showPosts(ctx, [row]);
  if (shown === undefined) throw new Error('The post was not presented.');
  return shown;
}

/** An account as the list of networks shows it. */
export const showNetwork = ({ services }: ServiceContext, row: AccountRow): SocialNetworkView => ({
  channelId: row.channel_id,
  accountRef: row.id,
  transport: row.transport,
  displayName: row.display_name,
  handle: row.handle,
  avatarUrl: row.avatar_url,
  status: row.status,
  capabilities: services.socialChannels.networkOf(row.channel_id, row.transport)?.capabilities ?? noCapabilities,
  connectedAt: toIsoTime(row.connected_at),
  lastSyncedAt: toIsoTime(row.last_synced_at),
});
