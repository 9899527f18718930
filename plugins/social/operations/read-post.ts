import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { findPost } from '../post/find-post.ts';
import { showPost } from '../present.ts';
import { socialPost } from '../resources.ts';
import { somePost } from './fixture-rows.ts';

export const postParams = z.object({ postId: idParameter('soc') });

export const readPost = defineOperation({
  id: 'social.post_read',
  summary: 'Read a social post',
  description: 'With its problems and its result on each channel.',
  http: 'GET /v1/social/posts/{postId}',
  tool: 'read_social_post',
  scopes: ['social:posts:read'],
  idempotency: 'read',
  input: { params: postParams },
  output: socialPost,
  errors: ['post_not_found'],
  fixture: async (kit) => ({
    params: { postId: await somePost(kit, kit.workspaceId) },
    foreign: { postId: await somePost(kit, kit.foreignWorkspaceId) },
  }),

  handler: async (ctx, { params }) => showPost(ctx, await findPost(ctx, params.postId)),
});
