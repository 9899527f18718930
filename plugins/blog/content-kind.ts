// Lets approval policies hold posts: defines the content that visitors would see.
import type { ContentKind, PublishableContent } from '../../core/index.ts';
import { publicCopy, workingCopy } from './content.ts';
import { blogPostKindId } from './content-kind-id.ts';
import { findHead } from './store.ts';
import { type BlogPostRow, postRows } from './tables.ts';

/** The content that a publish makes public, and the content that is public now. */
export const publicationContent = (post: BlogPostRow): PublishableContent => ({
  name: post.title,
  content: workingCopy(post),
  before: publicCopy(post) ?? null,
});

/** The content kind with which approval policies hold posts. */
export const blogPostContentKind: ContentKind = {
  kind: blogPostKindId,
  targetKind: 'blog_post',
  async read({ trx }, targetId) {
    const post = await postRows.find(trx, targetId);
    return post === undefined ? undefined : publicationContent(post);
  },
  idOf: async ({ trx }, slug) => (await findHead(trx, slug))?.id,
};
