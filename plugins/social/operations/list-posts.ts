import { defineList, z } from '../../../core/index.ts';
import { deletedForMs } from '../post/find-post.ts';
import { showPosts } from '../present.ts';
import { postStatus, socialPost } from '../resources.ts';
import { postRows } from '../tables.ts';
import { somePost } from './fixture-rows.ts';

export const listPosts = defineList({
  id: 'social.posts',
  summary: 'List social posts',
  description: 'Newest first. Deleted posts are listed only with status=deleted.',
  http: 'GET /v1/social/posts',
  tool: 'list_social_posts',
  scopes: ['social:posts:read'],
  rows: postRows,
  item: socialPost,
  filters: {
    status: postStatus.optional(),
    channelId: z.string().max(40).optional().describe('Only posts for this channel.'),
    groupId: z.string().max(60).optional().describe('Only posts that were created together.'),
    planningKind: z.enum(['post', 'hold']).optional(),
  },
  customFilters: ['channelId'],
  conditions:
    ({ status, channelId }, { now }) =>
    (columns) => [
      ...(status === undefined ? [columns('status', '!=', 'deleted')] : []),
      ...(status === 'deleted' ? [columns('deleted_at', '>', now - deletedForMs)] : []),
      ...(channelId === undefined
        ? []
        : [
            columns(
              'id',
              'in',
              columns.selectFrom('social_targets').select('post_id').where('channel_id', '=', channelId),
            ),
          ]),
    ],
  load: async (ctx, rows) => new Map((await showPosts(ctx, rows)).map((post) => [post.id, post])),
  present(row, _, publicPosts) {
    const post = publicPosts.get(row.id);
    if (post === undefined) throw new Error(`The post ${row.id} was not loaded.`);
    return post;
  },
  exampleRow: somePost,
  foreign: async () => ({
    channelId: 'skipped: the program composes the channels',
    groupId: 'skipped: shown in test/plugins/social-posts.test.ts',
  }),
});
