import { coreErrors, defineOperation, z } from '../../../core/index.ts';
import { blogPostKindId } from '../content-kind-id.ts';
import { summaryOf } from '../present.ts';
import { takeOffline } from '../publish-post.ts';
import { postParams } from '../schema.ts';
import { lockPost, removePost } from '../store.ts';
import { somePost } from './fixture-rows.ts';

export const deletePost = defineOperation({
  id: 'blog.delete',
  summary: 'Delete a blog post',
  description:
    'Deletes the post and frees its slug. A published post also needs the scope pages:publish: visitors get 404 from then on. This cannot be undone.',
  http: 'DELETE /v1/blog/posts/{idOrSlug}',
  tool: { name: 'delete_blog_post', destructive: true },
  scopes: ['pages:write'],
  idempotency: 'natural',
  input: { params: postParams },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  errors: ['blog_post_not_found', 'insufficient_scope'],
  emits: ['blog_post.unpublished', 'approval.decided'],
  audit: { action: 'blog.post.delete', target: ({ id }) => ({ kind: 'blog_post', id }) },
  fixture: async (kit) => ({
    params: { idOrSlug: await somePost(kit, kit.workspaceId) },
    foreign: { idOrSlug: await somePost(kit, kit.foreignWorkspaceId) },
    errors: { insufficient_scope: 'unreachable here: shown in test/plugins/blog.test.ts' },
  }),

  async handler(ctx, { params }) {
    const post = await lockPost(ctx.trx, params.idOrSlug);
    const { id, og_asset_id: picture } = post;
    if (post.status === 'published') {
      if (!ctx.holds('pages:publish'))
        throw coreErrors.insufficient_scope({ scopes: ['pages:publish'], instead: 'take the post offline first' });
      const after = await takeOffline(ctx, post);
      ctx.emit('blog_post.unpublished', await summaryOf(ctx, after));
    }
    await removePost(ctx.trx, id);
    if (picture !== null) await ctx.services.assets.remove(ctx, picture);
    await ctx.contentChanged(blogPostKindId, [id]);
    return { id, deleted: true as const };
  },
});
