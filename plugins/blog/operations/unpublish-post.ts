import { coreErrors, defineOperation } from '../../../core/index.ts';
import { showPost, summaryOf } from '../present.ts';
import { takeOffline } from '../publish-post.ts';
import { postParams, postResource } from '../schema.ts';
import { lockPost } from '../store.ts';
import { publishedPost, somePost } from './fixture-rows.ts';

export const unpublishPost = defineOperation({
  id: 'blog.unpublish',
  summary: 'Take a blog post offline',
  description: 'Visitors get 404 from then on. The post and its slug stay: publish shows it again.',
  http: 'POST /v1/blog/posts/{idOrSlug}/unpublish',
  tool: { name: 'unpublish_blog_post', openWorld: true },
  scopes: ['pages:publish'],
  idempotency: 'replay',
  input: { params: postParams },
  output: postResource,
  errors: ['blog_post_not_found', 'state_conflict'],
  emits: ['blog_post.unpublished'],
  audit: { action: 'blog.post.unpublish', target: ({ id }) => ({ kind: 'blog_post', id }) },
  fixture: async (kit) => ({
    params: { idOrSlug: await publishedPost(kit, kit.workspaceId) },
    foreign: { idOrSlug: await publishedPost(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async (own) => ({ params: { idOrSlug: await somePost(own, own.workspaceId) } }),
    },
  }),

  async handler(ctx, { params }) {
    const post = await lockPost(ctx.trx, params.idOrSlug);
    if (post.status === 'draft')
      throw coreErrors.state_conflict({ reason: `The post ${post.id} was never published: it is a draft.` });
    if (post.status === 'unpublished') return showPost(ctx, post);
    const after = await takeOffline(ctx, post);
    ctx.emit('blog_post.unpublished', await summaryOf(ctx, after));
    return showPost(ctx, after);
  },
});
