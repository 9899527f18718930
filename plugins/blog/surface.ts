// Posts as a surface for approval policies: the content that visitors would see.
import type { Surface, SurfaceContent } from '../../core/index.ts';
import { publicCopy, workingCopy } from './content.ts';
import { findHead } from './store.ts';
import { surfaceKind } from './surface-kind.ts';
import { type PostRow, postRows } from './tables.ts';

/** The content that a publish makes public, and the content that is public now. */
export const publicationContent = (post: PostRow): SurfaceContent => ({
  name: post.title,
  content: workingCopy(post),
  before: publicCopy(post) ?? null,
});

/** The surface that lets approval policies hold posts. */
export const postSurface: Surface = {
  kind: surfaceKind,
  targetKind: 'blog_post',
  async read({ trx }, targetId) {
    const post = await postRows.find(trx, targetId);
    return post === undefined ? undefined : publicationContent(post);
  },
  idOf: async ({ trx }, slug) => (await findHead(trx, slug))?.id,
};
