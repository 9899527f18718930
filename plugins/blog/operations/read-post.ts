import { defineOperation } from '../../../core/index.ts';
import { showPost } from '../present.ts';
import { postParams, postResource } from '../schema.ts';
import { findPost } from '../store.ts';
import { somePost } from './fixture-rows.ts';

export const readPost = defineOperation({
  id: 'blog.read',
  summary: 'Read a blog post',
  description: 'The state and the working copy with its text. draft says whether visitors see other content.',
  http: 'GET /v1/blog/posts/{idOrSlug}',
  tool: 'read_blog_post',
  scopes: ['pages:read'],
  idempotency: 'read',
  input: { params: postParams },
  output: postResource,
  errors: ['blog_post_not_found'],
  fixture: async (kit) => ({
    params: { idOrSlug: await somePost(kit, kit.workspaceId) },
    foreign: { idOrSlug: await somePost(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params }) {
    return showPost(ctx, await findPost(ctx.trx, params.idOrSlug));
  },
});
