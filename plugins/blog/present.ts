// The API's representation of posts.

import {
  type PendingDecision,
  presenter,
  type ReadContext,
  type ServiceContext,
  type TransactionContext,
  type Workspace,
} from '../../core/index.ts';
import { contentUrl } from '../../core/unstable.ts';
import type { ApprovalsService } from '../approvals/index.ts';
import { blogPostKindId } from './content-kind-id.ts';
import { previewPath, previewToken } from './preview-token.ts';
import { type PostResource, type PostSummary, postSummaryObject } from './schema.ts';
import { encodeSlug } from './slug.ts';
import { type BlogPostHead, type BlogPostRow, blogPosts } from './tables.ts';

/** The context that presenting needs besides the row. */
export interface BlogPresentContext extends ServiceContext {
  readonly workspace: Workspace;
  readonly now: number;
}

const presentColumns = presenter(
  blogPosts,
  postSummaryObject.omit({ draft: true, url: true, previewUrl: true, approval: true }),
);

/** The post's public address; null if visitors cannot see the post, or if the service has no public address. */
export const urlOf = (
  { ports, workspace }: Pick<BlogPresentContext, 'ports' | 'workspace'>,
  { status, sandbox, published_slug: slug }: Pick<BlogPostHead, 'status' | 'sandbox' | 'published_slug'>,
): string | null =>
  status !== 'published' || sandbox || slug === null
    ? null
    : (contentUrl(ports.service, workspace, `/blog/${encodeSlug(slug)}`) ?? null);

/** A post as lists and events show it. */
export function presentPost(
  context: BlogPresentContext,
  head: BlogPostHead,
  approval: PendingDecision | undefined,
): PostSummary {
  const { ports, workspace, now } = context;
  const token = previewToken(ports.keyring, head.id, now);
  return {
    ...presentColumns(head as never),
    draft: head.content_hash !== head.published_hash,
    url: urlOf(context, head),
    previewUrl: contentUrl(ports.service, workspace, previewPath(token)) ?? null,
    approval: approval ?? null,
  };
}

/** The pending approval requests, by post. */
export async function approvalsOf(
  { services, trx }: ReadContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PendingDecision>> {
  const approvals: ApprovalsService | undefined = services.approvals;
  return (await approvals?.pendingOf(trx, blogPostKindId, ids)) ?? new Map();
}

/** A post, as events show it. */
export const summaryOf = async (ctx: TransactionContext, row: BlogPostHead): Promise<PostSummary> =>
  presentPost(ctx, row, (await approvalsOf(ctx, [row.id])).get(row.id));

/** Presents a post with its text and its pending approval request. */
export const showPost = async (ctx: TransactionContext, row: BlogPostRow): Promise<PostResource> => ({
  ...(await summaryOf(ctx, row)),
  body: row.body,
});
