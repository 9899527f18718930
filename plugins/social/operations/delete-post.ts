import { coreErrors, defineOperation, z } from '../../../core/index.ts';
import { deletePost } from '../post/delete-post.ts';
import { lockPost } from '../post/find-post.ts';
import { showPost } from '../present.ts';
import { socialPost } from '../resources.ts';
import { postIn, somePost, testedElsewhere } from './fixture-rows.ts';
import { postParams } from './read-post.ts';

const publishScope = 'social:posts:publish';

export const deletePostOperation = defineOperation({
  id: 'social.post_delete',
  summary: 'Delete a social post',
  description:
    'Deletes a post that is not live, and withdraws its pending approval request. With fromProvider=true, it also deletes a live post, and the visible parts of an interrupted thread: the post is deleted when all networks have confirmed. A target with an unknown result is not deleted: look at the network. A deleted post can be read for 30 days.',
  http: 'DELETE /v1/social/posts/{postId}',
  tool: { name: 'delete_social_post', destructive: true, openWorld: true },
  scopes: ['social:posts:write'],
  idempotency: 'natural',
  input: {
    params: postParams,
    query: z.object({
      fromProvider: z
        .stringbool()
        .optional()
        .describe('true: delete a live post on its networks. Needs social:posts:publish.'),
    }),
  },
  output: socialPost,
  errors: ['post_not_found', 'insufficient_scope', 'state_conflict', 'delete_unsupported'],
  emits: ['social.post.deleted', 'approval.decided', 'social.network.disconnected'],
  audit: { action: 'social.post.delete', target: ({ id }) => ({ kind: 'social_post', id }) },
  fixture: async (kit) => ({
    params: { postId: await somePost(kit, kit.workspaceId) },
    foreign: { postId: await somePost(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async () => ({ params: { postId: await postIn(kit, 'publishing') } }),
      insufficient_scope: testedElsewhere.plans,
      delete_unsupported: testedElsewhere.plans,
    },
  }),

  async handler(ctx, { params, query }) {
    const fromProvider = query.fromProvider ?? false;
    if (fromProvider && !ctx.holds(publishScope)) throw coreErrors.insufficient_scope({ scopes: [publishScope] });
    const post = await lockPost(ctx, params.postId);
    return showPost(ctx, await deletePost(ctx, post, fromProvider));
  },
});
